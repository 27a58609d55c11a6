package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Runs applications under BlockHound, which needs an option of the JVM and never goes away. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class BlockHoundTest {
  @TempDir Path directory;

  @Test
  void blocksNoEventLoopWhenAskingTheStoreOrByPartsOfTheApplication() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-XX:+AllowRedefinitionToAddDeleteMethods"); // BlockHound's own advice
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      if (Runtime.version().feature() >= 21) {
        command.add("-XX:+EnableDynamicAgentLoading");
      }
      command.add("-Dweir.test.store=" + redis.url());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(BlockHoundMain.class.getName());
      assertWatched(run(command));
    }
  }

  private String run(List<String> command) throws Exception {
    File output = directory.resolve("output.txt").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    try {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it never ended");
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output.toPath(), StandardCharsets.UTF_8);
  }

  private static void assertWatched(String output) {
    List<String> blocked =
        output.lines().filter(each -> each.startsWith(BlockHoundMain.BLOCKED)).toList();
    assertEquals(List.of(), blocked, output);
    assertTrue(output.contains(BlockHoundMain.DONE + "false watched"), output);
    assertTrue(output.contains(BlockHoundMain.DONE + "true watched"), output);
  }
}
