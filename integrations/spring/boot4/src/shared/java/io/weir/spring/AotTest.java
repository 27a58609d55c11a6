package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code that Spring Boot generates ahead of time of an application with the starter. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class AotTest {
  @TempDir Path directory;

  private static List<Path> files(Path root, String end) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(each -> each.toString().endsWith(end)).toList();
    }
  }

  @Test
  void anApplicationThatWasProcessedAheadOfTimeLimits() throws Exception {
    Path sources = directory.resolve("sources");
    Path resources = directory.resolve("resources");
    Path classes = directory.resolve("classes");
    for (Path each : List.of(sources, resources, classes)) {
      Files.createDirectories(each);
    }
    String processed =
        JavaProcess.run(
            JavaProcess.classPath(),
            List.of(),
            "org.springframework.boot.SpringApplicationAotProcessor",
            AotMain.class.getName(),
            sources.toString(),
            resources.toString(),
            classes.toString(),
            "io.weir.test",
            "application");
    assertTrue(processed.endsWith("status 0"), processed);

    List<String> compile =
        new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
    compile.addAll(
        List.of("-cp", classes + File.pathSeparator + System.getProperty("java.class.path")));
    files(sources, ".java").forEach(each -> compile.add(each.toString()));
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler().run(null, null, null, compile.toArray(new String[0])));

    List<String> classPath = new ArrayList<>(List.of(classes.toString(), resources.toString()));
    classPath.addAll(JavaProcess.classPath());
    String output =
        JavaProcess.run(
            classPath,
            List.of("-Dspring.aot.enabled=true"),
            AotMain.class.getName(),
            "--server.port=0",
            "--weir.headers=none");
    assertTrue(output.contains("Starting AOT-processed AotMain"), output);
    assertTrue(output.contains("admitted true false, headers none"), output);

    String hints =
        files(resources, ".json").stream()
            .map(AotTest::text)
            .collect(Collectors.joining())
            .replace("\\/", "/");
    assertTrue(hints.contains("weir.properties"), hints);
    assertTrue(hints.contains("io/weir/internal/redis/"), hints);
    assertTrue(hints.contains(AotMain.Searches.class.getName()), hints);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
