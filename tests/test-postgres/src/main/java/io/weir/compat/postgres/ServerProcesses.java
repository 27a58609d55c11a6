package io.weir.compat.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Sends signals to the processes of a server: the first one, and one for each connection. */
final class ServerProcesses {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** The file that names the first process. */
  private static final String FIRST = "postmaster.pid";

  private ServerProcesses() {}

  /** Stops them all where they are. */
  static void freeze(Path data) {
    first(data).ifPresent(first -> signal("STOP", List.of(first))); // so that it starts no others
    signal("STOP", all(data));
  }

  /** Lets them go on. */
  static void thaw(Path data) {
    signal("CONT", all(data));
  }

  /** Kills them all and waits for their end. */
  static void kill(Path data) {
    freeze(data);
    List<ProcessHandle> all = all(data);
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(ServerProcesses::awaitEnd);
    DataDirectory.delete(data.resolve(FIRST)); // another process may soon have its number
  }

  /** Sends a signal to the first one, which ends the others, and waits for the end of all. */
  static void end(Path data, String signal) {
    List<ProcessHandle> all = all(data);
    first(data).ifPresent(first -> signal(signal, List.of(first)));
    all.forEach(ServerProcesses::awaitEnd);
  }

  private static void awaitEnd(ProcessHandle process) {
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Sends a signal to some processes and waits until it is sent. */
  static void signal(String name, List<ProcessHandle> processes) {
    for (ProcessHandle process : processes) {
      try {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static List<ProcessHandle> all(Path data) {
    List<ProcessHandle> all = new ArrayList<>();
    first(data).ifPresent(all::add);
    first(data).ifPresent(first -> first.descendants().forEach(all::add));
    return all;
  }

  /** Returns the process that started the others; empty if the server has ended in order. */
  private static Optional<ProcessHandle> first(Path data) {
    Path file = data.resolve(FIRST);
    try {
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
