package io.weir.compat.redis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A real Redis of its own in another process, with a port for tests to connect to; what it holds is
 * gone when it ends.
 *
 * <p>It dies with this JVM. Confine to one thread.
 */
public final class RedisServer implements AutoCloseable {
  private static final String LOCALHOST = "127.0.0.1";
  private static final int ATTEMPTS = 5;

  private final RedisProcess process;
  private final int port;

  private RedisServer(RedisProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server on a free port and waits until it answers.
   *
   * @param config lines of redis.conf, such as {@code maxmemory 2mb}
   * @return a server that the caller closes
   */
  public static RedisServer start(String... config) {
    List<String> lines = new ArrayList<>(List.of("save \"\"", "appendonly no"));
    lines.addAll(List.of("enable-debug-command yes", "repl-diskless-sync-delay 0"));
    lines.addAll(List.of(config));
    return start(lines, List.of());
  }

  /** Starts what the binary becomes by its arguments. A port may be taken before it gets it. */
  static RedisServer start(List<String> config, List<String> arguments) {
    for (int attempt = 1; ; attempt++) {
      try {
        return onPort(RedisProcess.freePort(), config, arguments);
      } catch (IllegalStateException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  static RedisServer onPort(int port, List<String> config, List<String> arguments) {
    List<String> lines = new ArrayList<>(List.of("port " + port, "bind " + LOCALHOST));
    lines.addAll(config);
    RedisProcess process = new RedisProcess(port, lines, arguments);
    try {
      process.start();
      return new RedisServer(process, port);
    } catch (IllegalStateException e) {
      process.close();
      throw e;
    }
  }

  /**
   * Returns the address of a server that is only talked to, never stopped: the one that {@code
   * WEIR_TEST_REDIS} names, else one that starts with the first call and ends with this JVM.
   *
   * <p>Tests share it, so each counts under a prefix of its own ({@link #prefix()}).
   *
   * @return a {@code redis:} address
   */
  public static String shared() {
    return Shared.URL;
  }

  /**
   * Returns a port that is free just now, and that no system gives away by itself.
   *
   * @return from 10000 to 13999
   */
  public static int freePort() {
    return RedisProcess.freePort();
  }

  /**
   * Returns a prefix that no other test uses.
   *
   * @return eight characters that are safe in a key
   */
  public static String prefix() {
    return "t" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 34, 1L << 35), 36);
  }

  /**
   * Returns the address for {@code weir.store}.
   *
   * @return without a password
   */
  public String url() {
    return "redis://" + LOCALHOST + ":" + port;
  }

  /**
   * Returns where it listens, also after a restart.
   *
   * @return a port of 127.0.0.1
   */
  public int port() {
    return port;
  }

  /**
   * Returns the process that runs now.
   *
   * @return its number
   */
  public long pid() {
    return process.pid();
  }

  /**
   * Returns where it keeps its files.
   *
   * @return a directory that goes with it
   */
  public Path directory() {
    return process.directory();
  }

  /**
   * Returns whether the process runs, be it paused.
   *
   * @return false after {@link #stop()} and {@link #kill9()}
   */
  public boolean running() {
    return process.alive();
  }

  /**
   * Asks it something over a connection of its own.
   *
   * @param words the command, as in redis-cli
   * @return the reply as redis-cli would print it, lists by lines; an error reply starts with -
   */
  public String ask(String... words) {
    return new RedisLine(port).ask(words);
  }

  /**
   * Asks it something as a user with a password.
   *
   * @param password of the default user
   * @param words the command
   * @return as {@link #ask}
   */
  public String askAs(String password, String... words) {
    return new RedisLine(port).askAs(password, words);
  }

  /** Freezes it (SIGSTOP): the kernel still accepts connections, and nothing answers. */
  public void pause() {
    process.signal("STOP");
  }

  /** Lets it go on (SIGCONT). */
  public void resume() {
    process.signal("CONT");
  }

  /** Ends it in order and waits for its end. */
  public void stop() {
    process.stop();
  }

  /** Ends it at once (SIGKILL), also if it is paused, and waits for its end. */
  public void kill9() {
    process.kill();
  }

  /** Starts it again on the same port with nothing in it; kills it first if it runs. */
  public void restart() {
    kill9();
    process.start();
  }

  /** Ends it and removes its files. */
  @Override
  public void close() {
    process.close();
  }

  /** Started by the first one who asks. */
  private static final class Shared {
    static final String URL = url();

    private static String url() {
      String given = System.getenv("WEIR_TEST_REDIS");
      return given == null || given.isBlank() ? start().url() : given;
    }
  }
}
