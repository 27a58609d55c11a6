package io.weir.internal.rules.database;

import io.weir.internal.threads.DaemonThreadFactory;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Runs SQL of H2 on threads that are never interrupted: a thread that is interrupted while it reads
 * or writes closes the file for the whole process.
 *
 * <p>Safe for concurrent use.
 */
public final class UninterruptibleSql {
  private static final ExecutorService THREADS =
      DaemonThreadFactory.cached(DaemonThreadFactory.named("weir-rules-sql"));

  private UninterruptibleSql() {}

  public interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Runs work, and waits for it. A caller that is interrupted meanwhile keeps waiting, and is
   * interrupted afterwards: statements have time-outs of their own.
   */
  public static <T> T run(Work<T> work) throws SQLException {
    ClassLoader ofCaller = Thread.currentThread().getContextClassLoader();
    Callable<T> call = () -> as(ofCaller, work);
    Future<T> running = THREADS.submit(call);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return running.get();
        } catch (InterruptedException later) {
          isInterrupted = true;
        } catch (ExecutionException failed) {
          throw thrown(failed.getCause() == null ? failed : failed.getCause());
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs work with the class loader of the caller's application, which isn't kept afterwards. */
  private static <T> T as(ClassLoader application, Work<T> work) throws SQLException {
    Thread thread = Thread.currentThread();
    thread.setContextClassLoader(application);
    try {
      return work.run();
    } finally {
      thread.setContextClassLoader(UninterruptibleSql.class.getClassLoader());
    }
  }

  private static SQLException thrown(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof SQLException failure ? failure : new SQLException(cause);
  }
}
