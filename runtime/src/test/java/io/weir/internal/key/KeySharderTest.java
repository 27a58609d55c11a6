package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.annotation.By;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Divides keys into a fixed number of parts, in the same way on every node. */
class KeySharderTest {
  private static final Map<String, KeyResolver> RESOLVERS =
      Map.of("tenant", request -> request.query("t"));

  /** Computed by another program, so that the division can never change. */
  @ParameterizedTest
  @CsvSource({
    "2, https://a.example/, 0",
    "16, https://a.example/, 2",
    "1000000, https://a.example/, 720706",
    "16, https://b.example/, 14",
    "1000000, https://b.example/, 298142",
    "16, \u00fc, 4",
    "1000000, \u00fc, 853028",
  })
  void isTheFirst64BitsOfSha256Unsigned(int parts, String value, String part) {
    assertEquals(part, new KeySharder(parts, "query:url").of(value));
  }

  @Test
  void dividesEvenly() {
    KeySharder shard = new KeySharder(16, "query:url");
    double[] counts = new double[16];
    IntStream.range(0, 16_000).forEach(i -> counts[Integer.parseInt(shard.of("url" + i))]++);
    for (double count : counts) {
      assertEquals(1_000, count, 200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "query:url, query url",
    "path:url, path url",
    "cookie:url, cookie url",
    "param:url, param url",
    "tenant, query t"
  })
  void readsWhateverAKeyReads(String expression, String place) {
    RequestInfo request = Asked.from("192.0.2.1").set(place, "https://a.example/");
    assertEquals(Key.of("2"), reader("shard:16:" + expression).read(request));
  }

  @Test
  void readsAHeadersFirstLine() {
    RequestInfo request = Asked.from("192.0.2.1").header("X-Url", "https://a.example/", "other");
    assertEquals(Key.of("2"), reader("shard:16:header:X-Url").read(request));
  }

  @Test
  void countsByAddressWhereThereIsNoValue() {
    KeyReader reader = reader("shard:16:query:url");
    Key address = Key.address("192.0.2.1");
    assertEquals(address, reader.read(Asked.from("192.0.2.1")));
    assertEquals(address, reader.read(Asked.from("192.0.2.1").set("query url", " ")));
  }

  @Test
  void aValueThatIsTooLongStaysTheClientsMistake() {
    RequestInfo request = Asked.from("192.0.2.1").set("query url", "u".repeat(8193));
    assertThrows(InvalidRequestException.class, () -> reader("shard:16:query:url").read(request));
  }

  @Test
  void isOnePartOfAComposedKey() {
    KeyReader reader =
        KeyReader.of(
            "p", List.of(By.USER, By.KEY), List.of("shard:16:query:url"), RESOLVERS, addresses());
    RequestInfo request =
        Asked.from("192.0.2.1").set("user", "alice").set("query url", "https://b.example/");
    assertEquals(Key.tuple(List.of(Key.user("alice"), Key.of("14"))), reader.read(request));
  }

  private static KeyReader reader(String expression) {
    return KeyReader.of("p", List.of(By.KEY), List.of(expression), RESOLVERS, addresses());
  }

  private static Supplier<ClientAddress> addresses() {
    ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));
    return () -> addresses;
  }
}
