"""Starts debugpy in a server that uv, fastmcp and the like start, for Debug Server of Patchbay. PYTHONPATH leads here."""

import os
import sys

_launchers = ("pipx", "poetry", "pdm", "hatch", "rye", "pipenv", "conda", "uv")


def _own_name():
    words = getattr(sys, "orig_argv", [])[1:]
    names = [os.path.basename(word).lower() for word in words if not word.startswith("-")]
    return names[0].split(".")[0] if names else ""


def _leave():
    """Children of the server are not debugged, and its own sitecustomize runs."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    rest = [entry for entry in path if os.path.abspath(entry) != here]
    if rest:
        os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    else:
        os.environ.pop("PYTHONPATH", None)
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        # The import of this file looks for it.
        sys.modules["sitecustomize"] = own


def _start():
    port = os.environ.get("PATCHBAY_DEBUG_PORT", "")
    if not port.isdigit() or _own_name() in _launchers:
        return
    os.environ.pop("PATCHBAY_DEBUG_PORT")
    bundled = os.environ.pop("PATCHBAY_DEBUGPY", None)
    _leave()
    if bundled:
        sys.path.append(os.path.dirname(bundled))
    try:
        import debugpy
    except ImportError:
        sys.stderr.write("No module named debugpy\n")
        sys.exit(1)
    debugpy.listen(("127.0.0.1", int(port)))
    debugpy.wait_for_client()


_start()
