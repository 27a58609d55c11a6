package io.weir.spring.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs docs/spring-start.md: its Java is code of this package, word for word; its settings start
 * the application once, on a real Redis and with rules; its commands are those of the page, and
 * print what it shows. {@link SearchLimitTest} is the page's test.
 */
class StartPageTest {
  private static final Path PAGE = Path.of("../../../docs/spring-start.md");
  private static final Path SOURCES = Path.of("src/test/java/io/weir/spring/start");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
  private static final Pattern NAME = Pattern.compile("\nclass (\\w+)");
  private static final long PATIENCE_SECONDS = 300;

  @TempDir private Path directory;

  /** A block, with its language. */
  private record Block(String language, String text) {}

  private static List<Block> blocks() throws IOException {
    return BLOCK
        .matcher(Files.readString(PAGE))
        .results()
        .map(each -> new Block(each.group(1), each.group(2)))
        .toList();
  }

  private static List<String> blocks(String language) throws IOException {
    return blocks().stream()
        .filter(each -> each.language().equals(language))
        .map(Block::text)
        .toList();
  }

  /** Leaves out comments, the package and white space, which the formatter may lay otherwise. */
  private static String tight(String java) {
    return java.replaceAll("/\\*(?s:.*?)\\*/|(?m)^package .*;$|\\s", "");
  }

  @Test
  void theJavaOfThePageIsThisPackage() throws IOException {
    List<String> blocks = blocks("java");
    assertEquals(3, blocks.size());
    for (String block : blocks) {
      var name = NAME.matcher(block);
      assertTrue(name.find(), block);
      String source = Files.readString(SOURCES.resolve(name.group(1) + ".java"));
      assertEquals(tight(source), tight(block), name.group(1));
    }
  }

  @Test
  void thePageRunsFromBeginningToEnd() throws Exception {
    RequiredPrograms.assumePresent("bash", "curl");
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext context = start(redis)) {
      String port = context.getEnvironment().getProperty("local.server.port");
      assertEquals("redis://127.0.0.1:" + redis.port(), context.getBean(Weir.class).store());
      String printed = "";
      for (Block each : blocks()) {
        if (each.language().equals("sh")) {
          printed = run(each.text().replace("127.0.0.1:8080", "127.0.0.1:" + port));
        } else if (each.language().isEmpty()) {
          assertEquals(each.text().strip(), printed.strip());
        }
      }
    }
  }

  private ConfigurableApplicationContext start(RedisServer redis) throws IOException {
    Path settings = directory.resolve("application.properties");
    Files.writeString(
        settings,
        String.join("\n", blocks("properties"))
            .replace("127.0.0.1:6379", "127.0.0.1:" + redis.port()));
    return SpringApplication.run(
        StartApplication.class,
        "--spring.config.location=file:" + settings,
        "--server.port=0",
        "--spring.datasource.url=jdbc:h2:mem:start",
        "--weir.store.timeout=10s", // so that a slow machine decides by the store as well
        "--weir.rules.timeout=10s");
  }

  private String run(String commands) throws IOException, InterruptedException {
    Path printed = directory.resolve("printed");
    Process bash =
        new ProcessBuilder("bash", "-c", "set -euo pipefail\n" + commands)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertTrue(bash.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), commands);
    String text = Files.readString(printed, StandardCharsets.UTF_8);
    assertEquals(0, bash.exitValue(), text);
    return text;
  }
}
