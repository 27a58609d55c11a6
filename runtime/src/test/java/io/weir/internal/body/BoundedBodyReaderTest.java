package io.weir.internal.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Bodies are read within the bounds, and refused with the right status beyond them. */
class BoundedBodyReaderTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int MAX_BYTES = 2_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final BodyFormats BOTH = new BodyFormats(true, true, false);
  private static final BodyFormats SHADOW = new BodyFormats(true, true, true);

  private final BodySlots slots = new BodySlots();
  private long now = -TIMEOUT.toNanos();

  /** A request that reads its body as a test says. */
  private static final class Request implements BodySource {
    private final Map<String, String> fields = new HashMap<>();
    private final BodyUse use;
    private Optional<String> address = Optional.of("192.0.2.1");
    private Optional<ReadBody> known = Optional.empty();

    Request(BodyUse use) {
      this.use = use;
    }

    Request with(String name, String value) {
      fields.put(name, value);
      return this;
    }

    Request from(String caller) {
      address = Optional.of(caller);
      return this;
    }

    @Override
    public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
      return use.of(this, reader);
    }

    @Override
    public Optional<ReadBody> content() {
      return known;
    }

    @Override
    public String method() {
      return "POST";
    }

    @Override
    public List<String> headers(String name) {
      return Optional.ofNullable(fields.get(name)).stream().toList();
    }

    @Override
    public Optional<String> user() {
      return Optional.empty();
    }

    @Override
    public Optional<String> peer() {
      return address;
    }

    @Override
    public Optional<String> address() {
      return address;
    }
  }

  /** A way to read the body of a request. */
  @FunctionalInterface
  private interface BodyUse {
    CompletionStage<ReadBody> of(Request request, BodyReader reader) throws IOException;
  }

  private BodyBounds bounds(boolean admitsUnreadable) {
    return new BodyBounds(MAX_BYTES, 32, TIMEOUT.toNanos(), 20, admitsUnreadable);
  }

  private CompletableFuture<Boolean> read(Request request, BodyFormats formats) {
    return BoundedBodyReader.read(request, formats, bounds(false), slots, () -> now)
        .toCompletableFuture();
  }

  /** Returns what the reader makes of a body, or throws why it makes nothing of it. */
  private ReadBody body(
      byte[] sent, BodyFormats formats, boolean admitsUnreadable, String... headers) {
    return body(new ByteArrayInputStream(sent), formats, admitsUnreadable, headers);
  }

  private ReadBody body(
      InputStream sent, BodyFormats formats, boolean admitsUnreadable, String... headers) {
    CompletableFuture<ReadBody> found = new CompletableFuture<>();
    Request request =
        new Request(
            (seen, reader) -> {
              ReadBody read = reader.read(() -> sent, Optional.empty());
              found.complete(read);
              return found;
            });
    for (int i = 0; i < headers.length; i += 2) {
      request.with(headers[i], headers[i + 1]);
    }
    try {
      boolean ended =
          BoundedBodyReader.read(request, formats, bounds(admitsUnreadable), slots, () -> now)
              .toCompletableFuture()
              .join();
      assertTrue(ended);
    } catch (CompletionException failed) {
      throw (RuntimeException) failed.getCause();
    } finally {
      assertTrue(slots.take(Optional.of("192.0.2.1"), 1), "the slot was returned");
      slots.release(Optional.of("192.0.2.1"));
    }
    return found.join();
  }

  private ReadBody form(String text, String... headers) {
    return body(text.getBytes(UTF_8), BOTH, false, headers);
  }

  private static int status(Runnable reading) {
    return assertThrows(UnreadableBodyException.class, reading::run).status();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(plain);
    }
    return zipped.toByteArray();
  }

  /** A stream that gives a byte at a time, each after a while. */
  private InputStream slow(byte[] bytes, Duration pause) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        now += pause.toNanos();
        return super.read(into, from, Math.min(1, length));
      }
    };
  }

  @Test
  void keepsTheBytesForTheApplication() {
    for (int length : List.of(1, 1023, 1024, 1025, MAX_BYTES)) {
      String text = "user=" + "a".repeat(length);
      String cut = text.substring(0, Math.min(text.length(), MAX_BYTES));
      ReadBody read = form(cut, "Content-Type", FORM);
      assertArrayEquals(cut.getBytes(UTF_8), read.bytes());
      assertTrue(read.isWhole());
      assertFalse(read.isInStream());
      assertEquals(Optional.of(cut.substring(5)), read.form("user", List.of()));
    }
  }

  @Test
  void knowsThatThereIsNoBody() {
    ReadBody read = form("");
    assertEquals(0, read.bytes().length);
    assertTrue(read.isWhole());
    assertEquals(Optional.of("query"), read.form("user", List.of("query")));
    assertEquals(Optional.empty(), read.json("/user"));
  }

  @Test
  void refusesWhatIsTooLong() {
    byte[] tooLong = new byte[MAX_BYTES + 1];
    assertEquals(413, status(() -> body(tooLong, BOTH, false, "Content-Type", FORM)));
    ReadBody admitted = body(tooLong, BOTH, true, "Content-Type", FORM);
    assertEquals(MAX_BYTES + 1, admitted.bytes().length);
    assertFalse(admitted.isWhole());
    assertEquals(Optional.empty(), admitted.form("user", List.of()));
  }

  @Test
  void doesNotBeginToReadWhatIsAnnouncedAsTooLong() {
    InputStream never =
        new ByteArrayInputStream(new byte[0]) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            throw new AssertionError("was read");
          }
        };
    String announced = Integer.toString(MAX_BYTES + 1);
    assertEquals(413, status(() -> body(never, BOTH, false, "Content-Length", announced)));
    ReadBody admitted = body(never, SHADOW, false, "Content-Length", announced);
    assertTrue(admitted.isInStream());
    assertEquals(
        Optional.of("a"),
        form("user=a", "Content-Length", Integer.toString(MAX_BYTES), "Content-Type", FORM)
            .form("user", List.of()));
    assertEquals(
        Optional.of("a"),
        form("user=a", "Content-Length", "garbled", "Content-Type", FORM).form("user", List.of()));
  }

  @Test
  void wantsOneByteMoreThanIsAllowed() {
    for (String length : List.of("0", Integer.toString(MAX_BYTES), "-1", "garbled")) {
      assertEquals(MAX_BYTES + 1, wanted(length), length);
    }
    assertEquals(0, wanted(Integer.toString(MAX_BYTES + 1)));
  }

  private int wanted(String announced) {
    int[] wanted = {-1};
    Request request =
        new Request(
            (seen, reader) -> {
              wanted[0] = reader.wantedBytes();
              return CompletableFuture.completedFuture(reader.untouched());
            });
    assertTrue(read(request.with("Content-Length", announced), BOTH).join());
    return wanted[0];
  }

  @Test
  void refusesWhatIsTooSlow() {
    byte[] form = "user=a".getBytes(UTF_8);
    ReadBody inTime = body(slow(form, TIMEOUT.dividedBy(7)), BOTH, false, "Content-Type", FORM);
    assertEquals(Optional.of("a"), inTime.form("user", List.of()));
    Duration pause = TIMEOUT.dividedBy(6).plusNanos(1);
    assertEquals(408, status(() -> body(slow(form, pause), BOTH, true, "Content-Type", FORM)));
    ReadBody shadow = body(slow(form, pause), SHADOW, false, "Content-Type", FORM);
    assertEquals(Optional.of("a"), shadow.form("user", List.of()));
  }

  @Test
  void tellsAdaptersHowMuchTimeIsLeft() {
    Request request =
        new Request(
            (seen, reader) -> {
              assertEquals(TIMEOUT, reader.timeLeft());
              now += TIMEOUT.toNanos() - 1;
              assertEquals(Duration.ofNanos(1), reader.timeLeft());
              now += 2;
              assertEquals(Duration.ZERO, reader.timeLeft());
              reader.late();
              return CompletableFuture.completedFuture(reader.untouched());
            });
    Throwable late =
        assertThrows(CompletionException.class, () -> read(request, BOTH).join()).getCause();
    assertEquals(408, assertInstanceOf(UnreadableBodyException.class, late).status());
  }

  /** Its application waits as well, but takes no slot from bodies that policies need. */
  @Test
  void releasesTheSlotOfALateBodyInShadowOnce() {
    CompletableFuture<ReadBody> still = new CompletableFuture<>();
    BodyReader[] reader = {null};
    Request request =
        new Request(
            (seen, reading) -> {
              reader[0] = reading;
              return still;
            });
    CompletableFuture<Boolean> reading = read(request, SHADOW);
    assertFalse(slots.take(Optional.empty(), 1));
    reader[0].late();
    reader[0].late();
    assertTrue(slots.take(Optional.empty(), 1));
    still.complete(reader[0].untouched());
    assertTrue(reading.join());
    assertFalse(slots.take(Optional.empty(), 1), "the other's slot was returned");
  }

  @Test
  void readsAFewBodiesAtOnce() {
    Request request = new Request((seen, reader) -> new CompletableFuture<>());
    assertFalse(read(request, BOTH).isDone());
    assertFalse(read(request, BOTH).isDone());
    assertEquals(503, status(() -> read(request, BOTH)));
    assertEquals(false, read(request, SHADOW).join(), "isn't read");
    for (int i = 2; i < 20; i++) {
      assertFalse(read(request.from("192.0.2." + i), BOTH).isDone());
    }
    assertEquals(503, status(() -> read(request.from("192.0.2.99"), BOTH)));
  }

  @Test
  void aTenthOfTheSlotsIsForOneAddress() {
    Optional<String> one = Optional.of("192.0.2.1");
    Optional<String> other = Optional.of("192.0.2.2");
    assertTrue(slots.take(one, 9), "at least one");
    assertFalse(slots.take(one, 9));
    slots.release(one);
    assertTrue(slots.take(one, 20));
    assertTrue(slots.take(one, 20));
    assertFalse(slots.take(one, 20));
    assertTrue(slots.take(other, 20));
    slots.release(one);
    assertTrue(slots.take(one, 20));
    assertFalse(slots.take(one, 20), "one is still taken");
    for (int i = 3; i < 20; i++) {
      assertTrue(slots.take(Optional.empty(), 20), "an unknown address has no share");
    }
    assertFalse(slots.take(Optional.empty(), 19));
  }

  @Test
  void refusesTypesThatNoPolicyReads() {
    String json = "application/json";
    BodyFormats forms = new BodyFormats(true, false, false);
    BodyFormats ofJson = new BodyFormats(false, true, false);
    assertRefused(forms, json, "application/x-www-form-urlencoded or multipart/form-data.");
    assertRefused(ofJson, FORM, "application/json.");
    assertRefused(ofJson, "multipart/form-data; boundary=b", "application/json.");
    String all = "application/json, application/x-www-form-urlencoded or multipart/form-data.";
    assertRefused(BOTH, "text/plain", all);
    assertRefused(BOTH, "text/plain+json", all);
    assertRefused(forms.and(false, true), "", all);
    assertEquals(new BodyFormats(true, true, false), ofJson.and(true, false));
    assertEquals(
        new BodyFormats(false, false, true), new BodyFormats(false, false, true).and(false, false));
    for (String each : List.of(json, "text/json", "application/vnd.example+json")) {
      ReadBody read = body("{\"a\":1}".getBytes(UTF_8), ofJson, false, "Content-Type", each);
      assertEquals(Optional.of("1"), read.json("/a"), each);
      assertEquals(Optional.empty(), read.form("a", List.of()), each);
    }
  }

  private void assertRefused(BodyFormats formats, String type, String names) {
    byte[] body = "a=1".getBytes(UTF_8);
    String refusal =
        assertThrows(
                InvalidRequestException.class,
                () -> body(body, formats, false, "Content-Type", type))
            .getMessage();
    assertEquals("The type of the body must be " + names, refusal);
    ReadBody admitted = body(body, formats, true, "Content-Type", type);
    assertArrayEquals(body, admitted.bytes());
  }

  @Test
  void decompressesGzipWithinTheBounds() throws IOException {
    byte[] zipped = gzip("user=zipped".getBytes(UTF_8));
    for (String coding : List.of("gzip", " GZIP ", "x-gzip")) {
      ReadBody read = body(zipped, BOTH, false, "Content-Encoding", coding, "Content-Type", FORM);
      assertEquals(Optional.of("zipped"), read.form("user", List.of()), coding);
      assertArrayEquals(zipped, read.bytes());
      assertEquals(Map.of(), read.fields(), "the application decompresses them itself");
    }
    for (String coding : List.of("gzip", "identity", "")) { // a filter has decompressed it
      ReadBody read = form("user=plain", "Content-Encoding", coding, "Content-Type", FORM);
      assertEquals(Optional.of("plain"), read.form("user", List.of()), coding);
      assertEquals(List.of("plain"), read.fields().get("user"));
    }
    for (String coding : List.of("br", "gzip, gzip", "deflate")) {
      assertThrows(
          InvalidRequestException.class,
          () -> body(zipped, BOTH, false, "Content-Encoding", coding, "Content-Type", FORM));
    }
    byte[] bomb = gzip(new byte[MAX_BYTES + 1]);
    assertEquals(
        413,
        status(() -> body(bomb, BOTH, false, "Content-Encoding", "gzip", "Content-Type", FORM)));
    byte[] most = gzip(("user=" + "a".repeat(MAX_BYTES - 5)).getBytes(UTF_8));
    assertEquals(
        MAX_BYTES - 5,
        body(most, BOTH, false, "Content-Encoding", "gzip", "Content-Type", FORM)
            .form("user", List.of())
            .orElseThrow()
            .length());
    for (byte[] wrong : List.of(new byte[] {0x1F, (byte) 0x8B}, Arrays.copyOf(zipped, 15))) {
      assertThrows(
          InvalidRequestException.class,
          () -> body(wrong, BOTH, false, "Content-Encoding", "gzip", "Content-Type", FORM));
      assertEquals(
          Optional.empty(),
          body(wrong, BOTH, true, "Content-Encoding", "gzip", "Content-Type", FORM)
              .form("user", List.of()));
    }
  }

  @Test
  void passesOnWhatFails() {
    IOException broken = new IOException("the connection is gone");
    Request failing =
        new Request(
            (seen, reader) -> {
              throw broken;
            });
    assertInstanceOf(InvalidRequestException.class, failure(read(failing, BOTH)));
    Request later =
        new Request(
            (seen, reader) ->
                CompletableFuture.<ReadBody>failedFuture(new CompletionException(broken)));
    assertInstanceOf(InvalidRequestException.class, failure(read(later, BOTH)));
    IllegalStateException bug = new IllegalStateException("a bug");
    Request buggy =
        new Request(
            (seen, reader) -> {
              throw bug;
            });
    assertEquals(bug, failure(read(buggy, BOTH)));
    Error error = new AssertionError("worse");
    Request worse = new Request((seen, reader) -> CompletableFuture.failedFuture(error));
    assertEquals(error, failure(read(worse, BOTH)));
    Request atOnce =
        new Request(
            (seen, reader) -> {
              throw error;
            });
    assertEquals(error, failure(read(atOnce, BOTH)));
    assertTrue(slots.take(Optional.of("192.0.2.1"), 1));
  }

  private static Throwable failure(CompletableFuture<Boolean> reading) {
    return assertThrows(CompletionException.class, reading::join).getCause();
  }

  /** What a policy in shadow mode was lenient about, an enforcing one after it isn't. */
  @Test
  void refusesLaterWhatAShadowPolicyHasAdmitted() throws IOException {
    String[] types = {"Content-Type", FORM};
    ReadBody malformed = body("user=%".getBytes(UTF_8), SHADOW, false, types);
    assertEquals(Optional.empty(), malformed.form("user", List.of()));
    again(malformed, SHADOW);
    assertEquals(Optional.empty(), malformed.form("user", List.of()));
    again(malformed, BOTH);
    assertThrows(InvalidRequestException.class, () -> malformed.form("user", List.of()));
    ReadBody tooLong = body(new byte[MAX_BYTES + 1], SHADOW, false, types);
    assertEquals(413, status(() -> again(tooLong, BOTH)));
    ReadBody form = body("user=a".getBytes(UTF_8), SHADOW, false, types);
    assertThrows(
        InvalidRequestException.class, () -> again(form, new BodyFormats(false, true, false)));
    again(body(new byte[0], SHADOW, false), BOTH);
  }

  private void again(ReadBody known, BodyFormats formats) {
    Request request =
        new Request(
            (seen, reader) -> {
              throw new AssertionError("it is known");
            });
    request.known = Optional.of(known);
    try {
      assertTrue(read(request, formats).join());
    } catch (CompletionException failed) {
      throw (RuntimeException) failed.getCause();
    }
  }

  @Test
  void readsParametersThatTheFrameworkHasRead() {
    Map<String, List<String>> values = Map.of("user", List.of("a"), "twice", List.of("a", "b"));
    for (boolean admits : List.of(false, true)) {
      ReadBody[] of = {null, null, null};
      Request request =
          new Request(
              (seen, reader) -> {
                of[0] = reader.ofParameters(values);
                of[1] = reader.untouched();
                of[2] = admits ? reader.taken() : null;
                assertEquals(admits, reader.admitsUnreadable());
                if (!admits) {
                  assertThrows(InvalidRequestException.class, reader::taken);
                }
                return CompletableFuture.completedFuture(of[0]);
              });
      assertTrue(
          BoundedBodyReader.read(request, BOTH, bounds(admits), slots, () -> now)
              .toCompletableFuture()
              .join());
      assertEquals(Optional.of("a"), of[0].form("user", List.of("ignored: it is among them")));
      assertFalse(of[0].isWhole());
      assertTrue(of[0].isInStream(), "the application asks the framework");
      assertTrue(of[1].isInStream());
      if (admits) {
        assertEquals(Optional.empty(), of[0].form("twice", List.of()));
        assertEquals(Optional.empty(), of[2].form("user", List.of()));
      } else {
        assertThrows(InvalidRequestException.class, () -> of[0].form("twice", List.of()));
      }
    }
  }

  @Test
  void aBodyThatPassesUnreadHasItsWellFormedFieldsForTheApplication() {
    ReadBody read = body("a=1&b=%&a=2& c=3&d".getBytes(UTF_8), BOTH, true, "Content-Type", FORM);
    assertEquals(Map.of("a", List.of("1", "2"), "d", List.of("")), read.fields());
    ReadBody unknown =
        body("a=1".getBytes(UTF_8), BOTH, true, "Content-Type", FORM + "; charset=none");
    assertEquals(Map.of("a", List.of("1")), unknown.fields());
    ReadBody json = body("{}".getBytes(UTF_8), BOTH, true, "Content-Type", "application/json");
    assertEquals(Map.of(), json.fields());
  }
}
