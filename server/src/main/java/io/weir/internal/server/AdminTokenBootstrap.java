package io.weir.internal.server;

import io.weir.InvalidSettingException;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Creates the administrator's token of a new database: generates one and prints it, or takes one
 * from a file. While the database can't be reached it tries again every second.
 *
 * <p>Safe for concurrent use.
 */
public final class AdminTokenBootstrap implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String AUTHOR = "start";
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Consumer<String> printer;

  /** Guarded by this. */
  private Optional<PeriodicTask> retries = Optional.empty();

  /** Gives {@code printer} the secret of a generated token, once. */
  public AdminTokenBootstrap(Consumer<String> printer) {
    this.printer = printer;
  }

  /**
   * Creates the token if the database has never had one, now or when it can be reached.
   *
   * @param file the file with a token; empty to generate one
   * @throws InvalidSettingException if the file can't be used
   */
  synchronized void begin(AccessTokens tokens, String file) {
    Runnable work = file.isEmpty() ? () -> generate(tokens) : adoption(tokens, file);
    if (!isDone(work)) {
      retries =
          Optional.of(
              PeriodicTask.start(
                  DaemonThreadFactory.named("weir-first-admin"), RETRY, RETRY, () -> retry(work)));
    }
  }

  private void generate(AccessTokens tokens) {
    tokens
        .createFirst("first administrator", Role.ADMIN.text(), AUTHOR)
        .ifPresent(created -> printer.accept(created.secret()));
  }

  private static Runnable adoption(AccessTokens tokens, String file) {
    String secret;
    try {
      secret = Files.readString(Path.of(file)).strip();
    } catch (IOException unreadable) {
      throw new InvalidSettingException(
          ServerSettings.ADMIN_TOKEN.name() + ": the file " + file + " can't be read");
    }
    String name = "from " + Path.of(file).getFileName();
    return () -> {
      try {
        boolean unused = tokens.adopt(name, Role.ADMIN.text(), secret, AUTHOR);
      } catch (IllegalArgumentException malformed) {
        throw new InvalidSettingException(
            ServerSettings.ADMIN_TOKEN.name() + ": " + malformed.getMessage());
      }
    };
  }

  private static boolean isDone(Runnable work) {
    try {
      work.run();
      return true;
    } catch (RulesUnavailableException away) {
      return false; // the rules log it
    }
  }

  private void retry(Runnable work) {
    try {
      if (isDone(work)) {
        close();
      }
    } catch (InvalidSettingException unusable) {
      LOG.log(Level.ERROR, unusable.getMessage());
      close();
    }
  }

  /** Stops trying. Idempotent. */
  @Override
  public synchronized void close() {
    retries.ifPresent(PeriodicTask::close);
  }
}
