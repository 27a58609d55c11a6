package io.weir.internal.server;

import io.weir.InvalidSettingException;
import io.weir.internal.server.access.Role;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The administrator's token that a new database gets: made and told once, or taken from a file.
 * While the database is away it is tried again every second.
 *
 * <p>Safe for concurrent use.
 */
public final class FirstAdmin implements AutoCloseable {
  private static final String AUTHOR = "start";
  private static final long PAUSE_MILLIS = 1_000;

  private final Consumer<String> told;
  private final CountDownLatch end = new CountDownLatch(1);

  /**
   * Makes nothing yet.
   *
   * @param told is given the secret, once, to show it to whoever starts the server
   */
  public FirstAdmin(Consumer<String> told) {
    this.told = told;
  }

  /**
   * Makes the token if there never was one, now or when the database is reached.
   *
   * @param tokens those of the database
   * @param file the file with a token; empty: one is made
   * @throws InvalidSettingException if the file can't be used
   */
  void begin(AccessTokens tokens, String file) {
    Runnable work = file.isBlank() ? () -> make(tokens) : adopting(tokens, file.strip());
    if (!isDone(work)) {
      Thread later = new Thread(() -> tryAgain(work), "weir-first-admin");
      later.setDaemon(true);
      later.start();
    }
  }

  private void make(AccessTokens tokens) {
    tokens
        .createFirst("first administrator", Role.ADMIN.text(), AUTHOR)
        .ifPresent(made -> told.accept(made.secret()));
  }

  private static Runnable adopting(AccessTokens tokens, String file) {
    String secret;
    try {
      secret = Files.readString(Path.of(file)).strip();
    } catch (IOException unreadable) {
      throw new InvalidSettingException("weir.server.admin-token: " + file + " can't be read");
    }
    String name = "from " + Path.of(file).getFileName();
    return () -> {
      try {
        boolean unused = tokens.adopt(name, Role.ADMIN.text(), secret, AUTHOR);
      } catch (IllegalArgumentException malformed) {
        throw new InvalidSettingException("weir.server.admin-token: " + malformed.getMessage());
      }
    };
  }

  private static boolean isDone(Runnable work) {
    try {
      work.run();
      return true;
    } catch (RulesUnavailableException away) {
      return false; // the rules tell it
    }
  }

  private void tryAgain(Runnable work) {
    try {
      while (!end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS) && !isDone(work)) {
        // until the database is there
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tries no more. Idempotent. */
  @Override
  public void close() {
    end.countDown();
  }
}
