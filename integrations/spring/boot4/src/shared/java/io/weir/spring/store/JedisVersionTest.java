package io.weir.spring.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.spring.operations.Plain;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringApplication;

/** The Jedis that Spring Boot chooses is too old, and is reported at the start, by its version. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class JedisVersionTest {
  private static final Pattern JEDIS = Pattern.compile("jedis-\\d+\\.\\d+\\.\\d+\\.jar");

  /** A bean with a mistake, which the same report has. */
  static class Wrong {
    @RateLimit(limit = 0, window = 60)
    public void none() {}
  }

  /** Starts an application whose store is in Redis, in a process of its own. */
  static final class Main {
    private Main() {}

    /** Starts it. */
    public static void main(String[] arguments) {
      SpringApplication.run(new Class<?>[] {Plain.class, Wrong.class}, arguments);
    }
  }

  @Test
  void ofSpringBootIsReportedWithThePropertyThatChangesIt() throws Exception {
    Path jar = Path.of(System.getProperty("weir.test.jedis-of-spring"));
    String report = start(List.of(jar.toString()));
    assertTrue(report.contains("APPLICATION FAILED TO START"), report);
    assertTrue(report.contains("needs redis.clients:jedis 8.0.0 or newer"), report);
    assertTrue(report.contains("has " + System.getProperty("weir.test.jedis-version")), report);
    assertTrue(report.contains("<jedis.version>8.0.2</jedis.version>"), report);
    assertTrue(report.contains("limit = 0"), report);
    assertTrue(report.contains(", and correct the annotations."), report);
    assertFalse(report.contains("\tat "), "a report, not a stack trace: " + report);
  }

  @Test
  void isReportedIfItIsMissing() throws Exception {
    String report = start(List.of());
    assertTrue(report.contains("APPLICATION FAILED TO START"), report);
    assertTrue(report.contains("needs redis.clients:jedis on the class path"), report);
    assertTrue(report.contains("<jedis.version>8.0.2</jedis.version>"), report);
  }

  private static String start(List<String> jedis) throws IOException, InterruptedException {
    List<String> path = new ArrayList<>(jedis);
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each -> !JEDIS.matcher(Path.of(each).getFileName().toString()).matches())
        .forEach(path::add);
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            path.stream().collect(Collectors.joining(File.pathSeparator)),
            Main.class.getName(),
            "--spring.main.web-application-type=none",
            "--spring.main.banner-mode=off",
            "--logging.level.root=ERROR",
            "--weir.store=redis://127.0.0.1:1");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      process.waitFor();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
