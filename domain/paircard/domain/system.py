"""What differs between operating systems: locks, rights, folders on the disk, open files, room, signals.

Nothing else in the product asks which system it runs on; ``tests/test_layers.py`` reads the source for it.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any, Final, TypeAlias

Name: TypeAlias = str | os.PathLike[str]
"""Of a file or a folder."""
FOR_ALL: Final = 0o666
"""Rights of a new file as the user has them set."""
FOR_OWNER: Final = 0o600
"""Rights of a new file with births and ids of people in it: for its owner alone."""
PATIENCE: Final = 2.0
"""Seconds in which a virus scanner or an indexer lets go of a file that was just written."""
WITHOUT_RIGHTS: Final = frozenset({"fat", "vfat", "msdos", "fat32", "exfat"})
"""File systems, mostly of USB sticks, that know no owner of a file and no second name for it."""
OVER_THE_NETWORK: Final = frozenset({"network", "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs"})
"""File systems on another machine, on which the locks of SQLite cannot be relied on."""
SYNCED: Final = ("onedrive", "dropbox", "google drive", "googledrive", "iclouddrive", "nextcloud")
"""How the folders begin that a program copies to other machines while they are written."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with how much is done and how much there is; 0 where that is not known."""


def unseen(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def new_file(path: Name, mode: int = FOR_ALL) -> int:
    """Make a file that was not there and open it to write bytes; for its owner alone, if so asked."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    if mode == FOR_OWNER:
        keep_to_owner(path)
    return handle


def replace(draft: Name, target: Name) -> None:
    """Put a file in the place of another; one that is only being looked over is waited for."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return os.replace(draft, target)
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > end:
                raise
            time.sleep(0.1)


def open_elsewhere(trouble: OSError) -> bool:
    """Whether a file could not be written because another program has it open, which only Windows minds."""
    code, onto = getattr(trouble, "winerror", 0), trouble.filename2
    return code in (32, 33) or (
        code == 5 and bool(onto) and os.access(onto, os.W_OK)
    )  # 5: not to be replaced


def said(trouble: OSError) -> str:
    """What the system says, without what Python adds to it."""
    if sys.platform == "win32" and trouble.errno and trouble.errno >= 10_000:  # of its sockets
        return ctypes.FormatError(trouble.errno).lower().rstrip(". ")
    return os.strerror(trouble.errno).lower() if trouble.errno else str(trouble)


def is_synced(path: Name) -> str:
    """The folder above a file that a program copies to other machines; empty if there is none."""
    folders = os.path.dirname(os.path.realpath(path)).split(os.sep)
    return next((folder for folder in folders if folder.lower().startswith(SYNCED)), "")


def processes_end_by(stop: Callable[[int, FrameType | None], Any]) -> None:
    """What happens when this process is told to end: by a signal, Ctrl-C, Ctrl-Break, a closed window."""
    import signal  # its tables of names are for those who stay

    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if number := getattr(signal, name, None):
            signal.signal(number, stop)


if sys.platform == "win32":
    import ctypes
    import msvcrt
    import signal
    import struct
    from ctypes import wintypes

    FAR: Final = 1 << 30
    """Where a lock lies: behind all that a lock file holds, for Windows lets nobody read a locked byte."""
    CLOSING: Final = (2, 5, 6)
    """The window is closed, the user logs off, the machine shuts down."""
    OURS: Final = ("SY", "BA")
    """The system and its administrators, who read everything anyway."""
    _api: Final = ctypes.windll.advapi32
    _kernel: Final = ctypes.windll.kernel32
    _kernel.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel.LocalFree.argtypes = [ctypes.c_void_p]

    def lock(handle: int, *, wait: bool = True) -> bool:
        """Keep everybody else out of an open lock file until it is closed; whether that was possible."""
        while True:
            os.lseek(handle, FAR, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError:
                if not wait:
                    return False
                time.sleep(0.02)
            else:
                os.lseek(handle, 0, os.SEEK_SET)
                return True

    def keep_rights(handle: int, target: Name) -> None:
        """A file takes the rights of its folder here."""

    def sync_folder(folder: Name) -> None:
        """Windows writes names with the files."""

    def mounted_read_only(path: Name) -> bool:
        """Whether nothing can be written where a file is, for any user."""
        return bool(_volume(path)[1] & 0x80000)

    def file_system(path: Name) -> str:
        """The kind of file system a file is on, in lower case: ntfs, exfat, network."""
        return _volume(path)[0]

    def _volume(path: Name) -> tuple[str, int]:
        root = os.path.splitdrive(os.path.realpath(path))[0] + "\\"
        name, flags = ctypes.create_unicode_buffer(64), wintypes.DWORD()
        _kernel.GetVolumeInformationW(root, None, 0, None, None, ctypes.byref(flags), name, 64)
        far = root.startswith("\\\\") or _kernel.GetDriveTypeW(root) == 4
        return "network" if far else name.value.lower(), flags.value

    def _me() -> str:
        """The id of the user, as rights name it."""
        token, length = wintypes.HANDLE(), wintypes.DWORD()
        _api.OpenProcessToken(wintypes.HANDLE(_kernel.GetCurrentProcess()), 8, ctypes.byref(token))
        _api.GetTokenInformation(token, 1, None, 0, ctypes.byref(length))
        user = ctypes.create_string_buffer(length.value)
        _api.GetTokenInformation(token, 1, user, length, ctypes.byref(length))
        _kernel.CloseHandle(token)
        text = wintypes.LPWSTR()
        id = ctypes.cast(user, ctypes.POINTER(ctypes.c_void_p))[0]
        _api.ConvertSidToStringSidW(ctypes.c_void_p(id), ctypes.byref(text))
        return text.value or ""

    def keep_to_owner(path: Name) -> None:
        """Give a file to its owner alone, as far as its file system knows owners."""
        rights = f"D:P(A;;FA;;;{_me()})" + "".join(f"(A;;FA;;;{who})" for who in OURS)
        made = ctypes.c_void_p()
        convert = _api.ConvertStringSecurityDescriptorToSecurityDescriptorW
        if convert(rights, 1, ctypes.byref(made), None):
            _api.SetFileSecurityW(os.fspath(path), 4, made)
            _kernel.LocalFree(made)

    def others_may_read(path: Name) -> str:
        """The rights of a file that more people than its owner can read; empty if none can."""
        length = wintypes.DWORD()
        _api.GetFileSecurityW(os.fspath(path), 4, None, 0, ctypes.byref(length))
        found = ctypes.create_string_buffer(length.value or 1)
        text = wintypes.LPWSTR()
        _api.GetFileSecurityW(os.fspath(path), 4, found, length, ctypes.byref(length))
        convert = _api.ConvertSecurityDescriptorToStringSecurityDescriptorW
        if not convert(found, 1, 4, ctypes.byref(text), None):
            return "?"
        rights = text.value or ""
        mine = {_me(), "OW", "S-1-3-4", "S-1-5-18", "S-1-5-32-544", *OURS}
        allowed = [ace.rstrip(")").split(";") for ace in rights.split("(")[1:]]
        return rights if not allowed or any(a[0] == "A" and a[-1] not in mine for a in allowed) else ""

    def private_by(path: Name) -> str:
        """The command that gives a file to its owner alone."""
        return f'icacls "{path}" /inheritance:r /grant:r "%USERNAME%:F"'

    def _closing(event: int) -> bool:
        """Windows ends the process when this returns: the server has five seconds to end by itself."""
        if event in CLOSING:
            signal.raise_signal(signal.SIGBREAK)
            time.sleep(5)
        return event in CLOSING

    _handler: Final = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)(_closing)

    def end_with_window() -> None:
        """End like by Ctrl-Break when the window is closed, and not in the middle of an answer."""
        _kernel.SetConsoleCtrlHandler(_handler, True)

    def take_many_callers(most: int) -> None:
        """Windows has no such limit."""

    def limit_process(memory: int, seconds: int) -> None:
        """End this process when it needs more bytes of memory or seconds of the processor than this."""
        flags = 0x2 | 0x100 | 0x400  # time of the process, its memory, and no window when it fails
        limits = struct.pack("qqI4xQQI4xQII6Q4Q", seconds * 10**7, 0, flags, *[0] * 12, memory, 0, 0, 0)
        job = wintypes.HANDLE(_kernel.CreateJobObjectW(None, None))
        _kernel.SetInformationJobObject(job, 9, limits, len(limits))
        _kernel.AssignProcessToJobObject(job, wintypes.HANDLE(_kernel.GetCurrentProcess()))

else:
    import fcntl
    import resource

    def lock(handle: int, *, wait: bool = True) -> bool:
        """Keep everybody else out of an open lock file until it is closed; whether that was possible."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    def keep_rights(handle: int, target: Name) -> None:
        """Give a new file the rights of the one whose place it takes."""
        with suppress(FileNotFoundError):
            os.fchmod(handle, os.stat(target).st_mode & 0o777)

    def sync_folder(folder: Name) -> None:
        """See to it that the names in a folder survive a crash."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def mounted_read_only(path: Name) -> bool:
        """Whether nothing can be written where a file is, for any user."""
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)

    def file_system(path: Name) -> str:
        """The kind of file system a file is on: ext4, exfat, nfs; empty where the system does not say."""
        return max(_mounts(os.path.realpath(path)), default=(0, ""))[1]

    def _mounts(path: str) -> Iterator[tuple[int, str]]:
        """The file systems a path is in, by the length of the folder they begin at."""
        with (
            suppress(OSError),
            open("/proc/self/mounts", "rb") as mounts,
        ):
            for line in mounts:
                _, folder, kind, *_ = os.fsdecode(line).split(" ")
                at = folder.replace("\\040", " ")
                if path == at or path.startswith(at.rstrip("/") + "/"):
                    yield len(at), kind

    def keep_to_owner(path: Name) -> None:
        """It was made so."""

    def others_may_read(path: Name) -> str:
        """The rights of a file that more people than its owner can read; empty if none can or it is gone."""
        with suppress(OSError):
            if (mode := os.stat(path).st_mode & 0o777) & 0o077:
                return f"{mode:o}"
        return ""

    def private_by(path: Name) -> str:
        """The command that gives a file to its owner alone."""
        return f"chmod 600 {path}"

    def end_with_window() -> None:
        """A terminal that is closed sends a signal."""

    def take_many_callers(most: int) -> None:
        """Let the process hold as many connections as the system allows."""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        soft = most if hard == resource.RLIM_INFINITY else min(hard, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def limit_process(memory: int, seconds: int) -> None:
        """End this process when it needs more bytes of memory or seconds of the processor than this."""
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
