"""A virtual machine with radios that are played, and what its first process says: see radios-image."""
import os, subprocess


def play(programs, folder, init):
    programs, folder = os.path.realpath(programs), os.path.realpath(folder)
    here = os.path.dirname(os.path.realpath(__file__))
    subprocess.run([f"{here}/radios-image", programs, folder, init], check=True)
    root = f"{folder}/root"
    kernel = [name for name in os.listdir(f"{root}/boot") if name.startswith("vmlinuz")][0]
    libraries = ":".join(f"{root}{place}/x86_64-linux-gnu" for place in ("/usr/lib", "/lib"))
    with open(f"{folder}/said", "w") as file:
        subprocess.run(
            [f"{root}/usr/bin/qemu-system-x86_64", "-L", f"{root}/usr/share/seabios", "-L", f"{root}/usr/share/qemu",
             "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "768", "-kernel", f"{root}/boot/{kernel}",
             "-initrd", f"{folder}/image.gz", "-append", "console=ttyS0 quiet panic=1", "-nographic", "-no-reboot",
             "-net", "none"],
            env=dict(os.environ, LD_LIBRARY_PATH=libraries), stdin=subprocess.DEVNULL, stdout=file, timeout=900)
    return open(f"{folder}/said", errors="replace").read()
