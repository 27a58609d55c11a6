package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Methods that AspectJ's agent has woven, in beans that Spring proxies, count each call once. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WovenTest {
  @TempDir Path directory;

  @Test
  void wovenAdvisedAndFilteredAtOnceIsChargedOnce() throws Exception {
    Files.createDirectory(directory.resolve("META-INF"));
    Files.writeString(
        directory.resolve("META-INF/aop.xml"),
        "<aspectj><weaver><include within=\"io.weir.spring..*\"/></weaver></aspectj>");
    List<String> path = new ArrayList<>(List.of(directory.toString()));
    path.addAll(JavaProcess.classPath());
    String output =
        JavaProcess.run(
            path,
            List.of("-javaagent:" + System.getProperty("weir.test.aspectj-agent")),
            WovenMain.class.getName());
    assertEquals(
        List.of(
            "woven true",
            "proxied true",
            "send 1, then 3",
            "hidden 3",
            "served 2, then 2",
            "then status 429"),
        output
            .lines()
            .filter(each -> each.startsWith("result: "))
            .map(each -> each.substring("result: ".length()))
            .toList(),
        output);
  }
}
