import Testing

/// A command on a terminal of its own, as a terminal's program starts one: what it prints there is printed,
/// and it ends with this one. It is no descendant of the tests'. Where it prints `prompt`, the next of
/// `answers` is typed. Its descriptor 9 is the output past the terminal, which forgets what was said to
/// it last when it is closed.
func onTerminal(
  _ command: [String], answers: [String] = [], prompt: String = "> "
) -> [String] {
  ["python3", "-c", driver, prompt, answers.joined(separator: ",")] + command
}

private let driver = """
  import os, pty, select, sys, time
  prompt, answers, command = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
  answers = answers.split(",") if answers else []
  alive, living = os.pipe()
  status, end = os.pipe()
  child = os.fork()
  if child != 0:
      os.close(alive); os.close(end)
      os.waitpid(child, 0)
      code = os.read(status, 16)
      os._exit(int(code) if code else 255)
  os.close(living); os.close(status)
  parent = os.getpid()
  if os.fork() != 0: os._exit(0)
  while os.getppid() == parent: time.sleep(0.001)
  os.dup2(1, 9)
  pid, terminal = pty.fork()
  if pid == 0: os.execvp(command[0], command)
  os.set_inheritable(9, False)
  unanswered = b""
  while True:
      ready, _, _ = select.select([terminal, alive], [], [])
      if alive in ready:
          os.kill(pid, 9)
          os._exit(0)
      try: text = os.read(terminal, 4096)
      except OSError: break
      if not text: break
      sys.stdout.buffer.write(text.replace(prompt, prompt + b"\\n"))
      sys.stdout.buffer.flush()
      unanswered += text
      if prompt in unanswered and answers:
          unanswered = b""
          os.write(terminal, answers.pop(0).encode() + b"\\n")
  os.write(end, b"%d" % (os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255))
  """
