package io.weir.test.threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import reactor.blockhound.BlockHound;

/**
 * Finds blocking calls in event loops by BlockHound, which needs an option of the JVM and never
 * goes away: so a test {@link #check checks} a main method in a process of its own, which {@link
 * #install installs} the watch and {@link #report reports} what it has seen.
 */
public final class EventLoopWatch {
  private static final String BLOCKED = "blocked: ";
  private static final String WATCHED = "watched: ";
  private static final int MINUTES = 5;

  private static final Queue<String> BLOCKING = new ConcurrentLinkedQueue<>();

  private EventLoopWatch() {}

  /**
   * Runs a main method under the watch. Fails if an event loop has blocked, or if a part wasn't
   * watched.
   *
   * @param main the class of the method, which ends the process
   * @param parts what the method reports
   * @param options for the JVM
   */
  public static void check(Class<?> main, List<String> parts, String... options)
      throws IOException, InterruptedException {
    String output = run(main, options);
    List<String> blocked = output.lines().filter(each -> each.startsWith(BLOCKED)).toList();
    List<String> watched =
        output
            .lines()
            .filter(each -> each.startsWith(WATCHED))
            .map(each -> each.substring(WATCHED.length()))
            .toList();
    if (!blocked.isEmpty() || !watched.equals(parts)) {
      throw new AssertionError("watched " + watched + ", blocked " + blocked + "\n" + output);
    }
  }

  private static String run(Class<?> main, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+AllowRedefinitionToAddDeleteMethods"); // BlockHound's own advice
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    if (Runtime.version().feature() >= 21) {
      command.add("-XX:+EnableDynamicAgentLoading");
    }
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Path output = Files.createTempFile("watched", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError("it never ended:\n" + Files.readString(output));
      }
      return Files.readString(output);
    } finally {
      process.destroyForcibly().waitFor();
      Files.delete(output);
    }
  }

  /** Begins to watch the event loops of this process. */
  public static void install() {
    BlockHound.install(
        builder ->
            builder
                .blockingMethodCallback(EventLoopWatch::note)
                // Takes the lock of the queue's end, for the time in which another thread adds one.
                .allowBlockingCallsInside(LinkedBlockingQueue.class.getName(), "offer"));
  }

  private static void note(Object method) {
    BLOCKING.add(
        method
            + " by "
            + Thread.currentThread().getName()
            + Arrays.toString(new Throwable().getStackTrace()));
  }

  /**
   * Prints what has blocked since the last report.
   *
   * @param part names what was watched
   * @param blocking makes an event loop block, to show that such calls are seen
   */
  public static void report(String part, Callable<?> blocking) throws Exception {
    BLOCKING.forEach(each -> System.out.println(BLOCKED + each));
    BLOCKING.clear();
    var unused = blocking.call();
    System.out.println((BLOCKING.isEmpty() ? "not watched: " : WATCHED) + part);
    BLOCKING.clear();
  }
}
