"""Examples of the manual's pages, and a person who types them."""
from machine import *

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../config/man")


def blocks(page):
    """The examples of a page, as (section, "types" or "writes", machine, text): each says in a comment above it who types
    it, or writes it into a file, on which machine. An example that nobody tries is a mistake."""
    found, section, mark, text = [], "", None, None
    for line in open(f"{PAGES}/{page}", encoding="utf-8").read().splitlines():
        if line.startswith((".SH ", ".SS ")):
            section = line[4:]
        elif match := re.fullmatch(r"\.\\\" (types|writes) (\S+)", line):
            mark = match.groups()
        elif line == ".EX":
            expect(mark, f"{page}: nobody tries an example of {section}")
            text = []
        elif line == ".EE":
            found.append((section, *mark, "\n".join(text) + "\n"))
            mark = text = None
        elif text is not None:
            text.append(line.replace("\\-", "-").replace("\\(rs", "\\").replace("\\&", ""))
    expect(found, f"{page} has no examples")
    return found


class Person:
    """Ann, who may use sudo, in one shell in her home folder, and what that says."""

    def __init__(self, way):
        self.way = way
        self.shell = subprocess.Popen(way + ["su", "-", "ann", "-c", "exec bash"], env=environment, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # A command that fails is said, except where the page itself has an answer to that.
        self.type("trap 'echo \"FAILS: $BASH_COMMAND\"' ERR; set -E\n")

    def type(self, text):
        """Types a text to its end, and gives what is said."""
        subprocess.run(self.way + ["sh", "-c", "cat >/tmp/typed"], input=text.encode(), env=environment, check=True)
        self.shell.stdin.write(b". /tmp/typed </dev/null; echo; echo 'THE END'\n")
        self.shell.stdin.flush()
        said, deadline = b"", time.monotonic() + 5 * PATIENCE
        while not said.endswith(b"\nTHE END\n"):
            ready, _, _ = select.select([self.shell.stdout], [], [], max(0, deadline - time.monotonic()))
            more = os.read(self.shell.stdout.fileno(), 65536) if ready else b""
            if not more:
                fail(f"typed\n{text}\nit does not end, but says\n{said.decode(errors='replace')}")
            said += more
        said = said.decode(errors="replace").removesuffix("\nTHE END\n")
        expect("FAILS: " not in said, f"typed\n{text}\nit says\n{said}")
        return said

    def write(self, text):
        """Writes a text into the file that its first line names, as root outside of her home folder."""
        name = text.splitlines()[0].removeprefix("# ")
        as_user = [] if name.startswith("/") else ["su", "-", "ann", "-c"]
        command = f"mkdir -p $(dirname '{name}') && cat >'{name}'"
        subprocess.run(self.way + (as_user or ["sh", "-c"]) + [command], input=text.encode(), env=environment, check=True)


def follow(page, machines, checks):
    """Does what a page says, section by section, on the machines by their names. checks: a function of a section's words,
    which are what its commands said, for each section that has an end to be reached."""
    people, said, last = {}, [], None

    def conclude():
        if last in checks:
            step(f"{page}: {last.lower()}")
            checks.pop(last)("\n".join(said))

    for section, verb, machine, text in blocks(page):
        if section != last:
            conclude()
            last, said = section, []
        person = people.get(machine) or people.setdefault(machine, Person(machines[machine]))
        if verb == "writes":
            person.write(text)
        else:
            said.append(person.type(text))
    conclude()
    expect(not checks, f"{page} has no section {list(checks)}")


def account(others=()):
    """Ann's account, and those of others before hers."""
    for other in others:
        run(f"useradd --create-home --shell /bin/bash {other}")
    run("useradd --create-home --shell /bin/bash ann")
    run(f"{QUIET} install -y --no-install-recommends sudo")
    run("printf 'ann ALL=(ALL) NOPASSWD: ALL\\nDefaults env_keep += DEBIAN_FRONTEND\\n' >/etc/sudoers.d/ann")
    run("printf 'APT::Get::Assume-Yes \"true\";\\nBinary::apt::APT::Keep-Downloaded-Packages \"true\";\\n'"
        " >/etc/apt/apt.conf.d/50try")


def give(way, files):
    """Copies packages and what else lies in /packages into ann's home folder."""
    names = " ".join(f"'/packages/{file}'" for file in files)
    subprocess.run(way + ["sh", "-c", f"cp {names} /home/ann && chown -R ann: /home/ann"], env=environment, check=True)


def carry(source, target, names):
    """Carries files from ann's home folder on one machine to that on another."""
    for name in names:
        bytes = subprocess.run(source + ["cat", f"/home/ann/{name}"], env=environment, check=True, stdout=subprocess.PIPE)
        subprocess.run(target + ["su", "-", "ann", "-c", f"umask 077; cat >'{name}'"], input=bytes.stdout, env=environment,
                       check=True)


def listen_for_ssh(port, key):
    """An sshd at the port, where the key's owner may enter."""
    run(f"mkdir -p /etc/ssh/sshd_config.d && printf 'Port {port}\\nListenAddress 127.0.0.1\\n' >/etc/ssh/sshd_config.d/port.conf")
    run(f"{QUIET} install -y --no-install-recommends openssh-server")
    run(f"install -d -o ann -m 700 /home/ann/.ssh && echo '{key}' >/home/ann/.ssh/authorized_keys"
        " && chown -R ann: /home/ann/.ssh")


def reach_by_ssh(hosts):
    """Gives ann a key, and the ports of hosts; says the key."""
    run("su - ann -c 'mkdir -p -m 700 .ssh && ssh-keygen -q -t ed25519 -N \"\" -f .ssh/id_ed25519'")
    for name, port in hosts.items():
        run(f"su - ann -c \"printf 'Host {name}\\nHostName 127.0.0.1\\nPort {port}\\nStrictHostKeyChecking no\\n'"
            " >>.ssh/config\"")
    return run("cat /home/ann/.ssh/id_ed25519.pub").strip()
