package io.weir.compat.stack;

import io.weir.compat.jaxrs.server.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what a stopped application has left of Weir in its process, by the JDK's {@code jcmd}. */
final class Leftovers {
  /** All that has weight is reached from these. */
  private static final List<String> HEAVY =
      List.of(
          "io.weir.internal.application.WeirRuntime",
          "io.weir.internal.engine.DefaultRateLimiter",
          "io.weir.internal.policy.PolicyCatalog");

  private static final Pattern THREAD = Pattern.compile("^\"(weir[^\"]*)\"", Pattern.MULTILINE);
  private static final Pattern OBJECTS =
      Pattern.compile("^ *\\d+: +(\\d+) +\\d+ +(io\\.weir\\.\\S+)", Pattern.MULTILINE);

  private Leftovers() {}

  /** Returns threads and objects that don't go within a minute; empty if nothing is left. */
  static List<String> of(ProcessHandle process) throws Exception {
    return Await.last(() -> now(process), List::isEmpty);
  }

  private static List<String> now(ProcessHandle process) throws IOException, InterruptedException {
    List<String> left = new ArrayList<>();
    Matcher thread = THREAD.matcher(jcmd(process, "Thread.print"));
    while (thread.find()) {
      left.add("thread " + thread.group(1));
    }
    Matcher objects = OBJECTS.matcher(jcmd(process, "GC.class_histogram")); // collects first
    while (objects.find()) {
      if (HEAVY.contains(objects.group(2))) {
        left.add(objects.group(1) + " " + objects.group(2));
      }
    }
    return left;
  }

  private static String jcmd(ProcessHandle process, String command)
      throws IOException, InterruptedException {
    Process asked =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (asked.waitFor() != 0) {
      throw new IOException("jcmd " + command + ": " + answer);
    }
    return answer;
  }
}
