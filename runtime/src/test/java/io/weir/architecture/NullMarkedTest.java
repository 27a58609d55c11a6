package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NullAway checks only packages that are {@code @NullMarked}. */
class NullMarkedTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "runtime",
        "testkit",
        "tests/simulation",
        "rules",
        "stores/rocksdb",
        "stores/cassandra",
        "stores/postgres",
        "control",
        "integrations/cdi",
        "integrations/grpc",
        "integrations/micronaut",
        "integrations/quarkus/deployment",
        "integrations/quarkus/runtime",
        "server"
      })
  void everyPackageIsNullMarked(String module) throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> packages = packages(Path.of("..", module, "src", "main", "java"));
    for (Path each : packages) {
      Path info = each.resolve("package-info.java");
      if (!Files.exists(info) || !Files.readString(info).contains("@NullMarked")) {
        wrong.add(each.toString());
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(!packages.isEmpty(), "no packages");
  }

  private static List<Path> packages(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(Path::getParent)
          .distinct()
          .toList();
    }
  }

  @Test
  void aPackageOfTheRuntimeIsFound() throws IOException {
    assertTrue(packages(Path.of("src", "main", "java")).size() > 20);
  }
}
