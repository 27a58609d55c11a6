package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Methods that AspectJ's agent has woven, in beans that the container intercepts. */
class WovenTest {
  @TempDir Path directory;

  @Test
  void wovenInterceptedAndFilteredAtOnceIsChargedOnce() throws Exception {
    Files.createDirectory(directory.resolve("META-INF"));
    Files.writeString(
        directory.resolve("META-INF/aop.xml"),
        "<aspectj><weaver><include within=\"io.weir.cdi..*\"/></weaver></aspectj>");
    String path = System.getProperty("java.class.path");
    String agent =
        Arrays.stream(path.split(File.pathSeparator))
            .filter(each -> each.contains("aspectjweaver"))
            .findFirst()
            .orElseThrow();
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-javaagent:" + agent,
                "-cp",
                directory + File.pathSeparator + path,
                WovenMain.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.waitFor();
    String printed = Files.readString(output);
    assertEquals(
        List.of("woven true", "send 1, then 3", "hidden 3", "served 2, then 2", "then 429"),
        printed
            .lines()
            .filter(each -> each.startsWith("result: "))
            .map(each -> each.substring("result: ".length()))
            .toList(),
        printed);
  }
}
