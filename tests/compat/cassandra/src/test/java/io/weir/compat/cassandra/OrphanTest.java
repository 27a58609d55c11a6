package io.weir.compat.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Cassandra whose starter was killed. */
@OneDayIn(2)
class OrphanTest {
  @Test
  void endsAndRemovesItsFiles() throws Exception {
    CassandraServer.assumePresent();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process starter =
        new ProcessBuilder(
                List.of(
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Starter.class.getName()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(starter.getInputStream(), UTF_8))) {
      long pid = Long.parseLong(out.readLine());
      Path directory = Path.of(out.readLine());
      assertTrue(ProcessHandle.of(pid).isPresent() && Files.isDirectory(directory));
      starter.destroyForcibly();
      Await.until(
          "it ends", () -> ProcessHandle.of(pid).stream().noneMatch(ProcessHandle::isAlive));
      Await.until("its files are gone", () -> Files.notExists(directory.resolve("data")));
    } finally {
      starter.destroyForcibly();
    }
  }
}
