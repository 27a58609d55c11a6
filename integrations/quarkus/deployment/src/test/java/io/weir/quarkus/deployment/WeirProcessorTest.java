package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Reads the source of {@code BeanParts}, which looks the beans up when the application starts. */
class WeirProcessorTest {
  private static final Path SOURCE =
      Path.of("../runtime/src/main/java/io/weir/quarkus/BeanParts.java");
  private static final Pattern LOOKED_UP =
      Pattern.compile("\\b(?:single|all|named)\\((\\w+)\\.class");

  @Test
  void keepsAllPartsThatTheStartLooksUp() throws IOException {
    Set<String> expected =
        LOOKED_UP
            .matcher(Files.readString(SOURCE))
            .results()
            .map(each -> each.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    expected.add(Weir.class.getSimpleName());
    expected.add(Adapter.class.getSimpleName());
    Set<String> kept =
        WeirProcessor.PARTS.stream()
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(expected, kept);
  }
}
