"""For PyInstaller: commands are imported by name, their help is read in their source, pages need their data.

pyinstaller --name paircard --additional-hooks-dir deploy/pyinstaller cli/paircard/__main__.py
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = [*collect_submodules("paircard"), *collect_submodules("eventsourcing")]
datas = collect_data_files("paircard")
module_collection_mode = {"paircard": "py"}
