"""On the Windows machine: closes the window of a program, as the console of Windows does.

Windows begins a thread at ``CtrlRoutine`` in each process of the window; wine 8 just kills them.
"""

import ctypes
import os
import sys
from ctypes import wintypes

CLOSED = 2


def main() -> None:
    """Tell all processes of one program but this one."""
    if sys.platform != "win32":
        return
    kernel, handle = ctypes.windll.kernel32, ctypes.c_void_p
    for call in (kernel.OpenProcess, kernel.GetModuleHandleW, kernel.GetProcAddress):
        call.restype = handle
    routine = handle(kernel.GetProcAddress(handle(kernel.GetModuleHandleW("kernelbase")), b"CtrlRoutine"))
    ids, size = (wintypes.DWORD * 1024)(), wintypes.DWORD()
    kernel.K32EnumProcesses(ids, ctypes.sizeof(ids), ctypes.byref(size))
    for id in {*ids[: size.value // 4]} - {os.getpid(), 0}:
        process = handle(kernel.OpenProcess(0x1FFFFF, False, id))
        name, length = ctypes.create_unicode_buffer(999), wintypes.DWORD(999)
        kernel.QueryFullProcessImageNameW(process, 0, name, ctypes.byref(length))
        if name.value.lower() == sys.argv[1].lower():
            kernel.CreateRemoteThread(process, None, handle(0), routine, handle(CLOSED), 0, None)
            print(id)


if __name__ == "__main__":
    main()
