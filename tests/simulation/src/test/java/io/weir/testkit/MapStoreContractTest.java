package io.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.PermitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The store that docs/stores.md shows keeps the contract, and is the one that it shows. */
class MapStoreContractTest extends PermitStoreContract {
  private static final String BEGIN = "final class MapStore";

  private final FakeTicker ticker = new FakeTicker();

  @Override
  protected PermitStore open() {
    return new MapStore(new ConcurrentHashMap<>(), "secret", ticker);
  }

  @Override
  protected void advance(Duration time) {
    ticker.advance(time);
  }

  /** Lines of the page are shorter than those that the formatter makes. */
  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }

  @Test
  void theDocumentationShowsThisVeryCode() throws IOException {
    Path source = Path.of("src/test/java/io/weir/testkit/MapStore.java");
    String code = Files.readString(source);
    String shown = "```java\n" + code.substring(code.indexOf(BEGIN)) + "```";
    assertTrue(
        withoutSpace(Files.readString(Path.of("../../docs/stores.md")))
            .contains(withoutSpace(shown)),
        "docs/stores.md must show " + source + " as it is, from '" + BEGIN + "' on");
  }
}
