package io.weir.compat.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.embedded.RedisExecProvider;

/** The process of one Redis and the directory it works in. */
final class RedisProcess {
  private static final long SECONDS = 120;
  private static final int FIRST_PORT = 10_000;
  private static final int PORTS = 4_000;
  private static final int TO_BUS = 10_000;
  private static final Pattern PROCESS = Pattern.compile("process_id:(\\d+)");

  private final int port;
  private final List<String> arguments;
  private final Path directory;
  private final List<String> config;
  private Process process;

  RedisProcess(int port, List<String> config, List<String> arguments) {
    this.port = port;
    this.arguments = List.copyOf(arguments);
    try {
      directory = Files.createTempDirectory("weir-redis");
      this.config = new ArrayList<>(config);
      this.config.add("dir " + directory);
      process = new ProcessBuilder("true").start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A port that the system gives to nobody, and so is the one of a cluster's bus. */
  static int freePort() {
    return ThreadLocalRandom.current()
        .ints(FIRST_PORT, FIRST_PORT + PORTS)
        .filter(port -> isFree(port) && isFree(port + TO_BUS))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  void start() {
    try {
      Path file = Files.write(directory.resolve("redis.conf"), config);
      List<String> command = new ArrayList<>(List.of(Binary.FILE.getPath(), file.toString()));
      command.addAll(arguments);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log().toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    RedisLine line = new RedisLine(port);
    Await.until(
        "Redis answers on port " + port,
        () -> !process.isAlive() || line.answers() && isOurs(line));
    if (!process.isAlive()) {
      throw new IllegalStateException("Redis didn't start: " + said());
    }
  }

  /**
   * Returns false for somebody else's Redis, to whom the port was given at the same time: this one
   * ends then. One that wants a password doesn't say who it is.
   */
  private boolean isOurs(RedisLine line) {
    Matcher id = PROCESS.matcher(line.ask("INFO", "server"));
    return !id.find() || Long.parseLong(id.group(1)) == process.pid();
  }

  private Path log() {
    return directory.resolve("redis.log");
  }

  private String said() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return e.toString();
    }
  }

  Path directory() {
    return directory;
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
      if (kill.onExit().get(SECONDS, TimeUnit.SECONDS).exitValue() != 0) {
        throw new IllegalStateException("no signal " + name + " to " + process.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  void stop() {
    process.destroy();
    await();
  }

  void kill() {
    process.destroyForcibly();
    await();
  }

  private void await() {
    Await.until("Redis ended: " + process.pid(), () -> !process.isAlive());
  }

  void close() {
    kill();
    try (Stream<Path> files = Files.list(directory)) {
      files.map(Path::toFile).forEach(File::delete);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unpacked once. */
  private static final class Binary {
    static final File FILE = unpacked();

    private static File unpacked() {
      try {
        return RedisExecProvider.defaultProvider().get();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
