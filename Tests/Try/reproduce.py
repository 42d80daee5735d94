"""Two builds of the source packages without a network make the same packages, of which lintian says nothing."""
import machine as house
from machine import *

# A build takes minutes of both cores.
house.PATIENCE = 5400
BUILD = ("SWIFT=/toolchain/usr/bin/swift dpkg-buildpackage --build=binary --unsigned-changes"
         " -Ppkg.locationd.toolchain >../log 2>&1 || { tail -30 ../log; exit 1; }")
# The user, the folder, and what else is different of each.
BUILDS = [("root", "/build/first", "umask 022; export TZ=UTC LC_ALL=C.UTF-8"),
          ("alice", "/build/second/place", "umask 077; export TZ=Asia/Seoul LC_ALL=C")]

start()
step("a clean machine gets what the source packages say that they need")
for source in run("ls /packages/source/*.dsc").split():
    run(f"{QUIET} -P pkg.locationd.toolchain --no-install-recommends build-dep -y {source}")

for user, folder, settings in BUILDS:
    step(f"{user} builds them in {folder}, where no network is")
    run(f"rm -rf {folder}; mkdir -p {folder}; chown {user} {folder}")
    began = time.monotonic()
    trees = f"for source in /packages/source/*.dsc; do dpkg-source --extract $source; done; for tree in */; do (cd $tree; {BUILD}); done"
    is_alone = '[ -z "$(grep : /proc/net/dev | grep -v lo:)" ]'
    run(f"unshare --net runuser -u {user} -- sh -ec 'cd {folder}; {settings}; {is_alone}; {trees}'")
    print(f"  {time.monotonic() - began:.0f} s", flush=True)

step("both have made the same packages, byte for byte")
first, second = (folder for _, folder, _ in BUILDS)
names = run(f"cd {first} && ls *.deb").split()
expect(run(f"cd {second} && ls *.deb").split() == names and len(names) == 9, f"the packages are {names}")
for name in names:
    same = run(f"cmp {first}/{name} {second}/{name}", exit=None)
    expect(not same.strip(), f"they differ: {same}")
print("  " + run(f"cd {first} && sha256sum *.deb | cut -c1-16,65-").replace("\n", "\n  ").rstrip())

step("lintian has nothing to say of sources and packages that is not explained")
run(f"{QUIET} install -y --no-install-recommends lintian")
said = run(f"lintian --allow-root --display-info --pedantic /packages/source/*.dsc {first}/*.deb", exit=None)
expect(not said.strip(), f"lintian says:\n{said}")
