package io.weir.internal.body;

import io.weir.InvalidRequestException;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import io.weir.spi.RequestInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;

/**
 * Reads the body of one request within the bounds: a slot for it, its length, its time. Refuses
 * what no expression of its policies can read, unless that counts as missing.
 *
 * <p>Used by one thread after the other.
 */
public final class BoundedBodyReader implements BodyReader {
  private static final int FIRST_BUFFER = 1024;
  private static final byte[] NONE = {};

  private final RequestInfo request;
  private final BodyFormats formats;
  private final BodyBounds bounds;
  private final LongSupplier nanoTime;
  private final long start;
  private final boolean admitsUnreadable;

  /** Returns the slot; does nothing from the second time on. */
  private final Runnable releaseSlot;

  private BoundedBodyReader(
      RequestInfo request,
      BodyFormats formats,
      BodyBounds bounds,
      LongSupplier nanoTime,
      Runnable releaseSlot) {
    this.request = request;
    this.releaseSlot = releaseSlot;
    this.formats = formats;
    this.bounds = bounds;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.admitsUnreadable = bounds.admitsUnreadable() || formats.inShadow();
  }

  /**
   * Has a request read its body.
   *
   * @param source the request, as its adapter sees it
   * @param formats what the policies can read
   * @param nanoTime the application's monotonic time
   * @return false if only policies in shadow mode want the body, and too many are being read. Fails
   *     with an {@link UnreadableBodyException} if the body is too long or too slow, with an {@link
   *     InvalidRequestException} if it can't be read for another reason
   * @throws UnreadableBodyException if too many are being read
   */
  public static CompletionStage<Boolean> read(
      BodySource source,
      BodyFormats formats,
      BodyBounds bounds,
      BodySlots slots,
      LongSupplier nanoTime) {
    Optional<String> address = source.address();
    if (!slots.take(address, bounds.atOnce())) {
      if (formats.inShadow()) {
        return CompletableFuture.completedFuture(false);
      }
      throw new UnreadableBodyException(
          UnreadableBodyException.TOO_MANY, "Too many bodies of requests are being read.");
    }
    AtomicBoolean isReleased = new AtomicBoolean();
    Runnable releaseSlot =
        () -> {
          if (isReleased.compareAndSet(false, true)) {
            slots.release(address);
          }
        };
    return begin(source, new BoundedBodyReader(source, formats, bounds, nanoTime, releaseSlot))
        .handle(
            (body, failure) -> {
              releaseSlot.run();
              if (failure != null) {
                throw refusal(failure);
              }
              return true;
            });
  }

  private static CompletionStage<ReadBody> begin(BodySource source, BoundedBodyReader reader) {
    try {
      Optional<ReadBody> known = source.content().filter(each -> !each.isInStream());
      if (known.isPresent()) {
        reader.checkAgain(known.get());
        return CompletableFuture.completedFuture(known.get());
      }
      return source.readBody(reader);
    } catch (IOException | RuntimeException | Error failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private static RuntimeException refusal(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof IOException
        ? new InvalidRequestException("The body can't be read.")
        : cause instanceof RuntimeException refused ? refused : new CompletionException(cause);
  }

  @Override
  public boolean admitsUnreadable() {
    return admitsUnreadable;
  }

  /** Applies the bounds to a body that was read before, since other policies want it now. */
  private void checkAgain(ReadBody known) {
    if (!admitsUnreadable && known instanceof BodyContent body) {
      body.refuseUnreadable();
      if (body.bytes().length > 0) {
        requireReadable(body.type());
      }
    }
  }

  @Override
  public ReadBody untouched() {
    return new BodyContent(NONE, false, false, Optional.empty(), admitsUnreadable, null);
  }

  @Override
  public ReadBody ofParameters(Map<String, List<String>> parameters) {
    return new ParametersBody(Map.copyOf(parameters), admitsUnreadable);
  }

  @Override
  public ReadBody taken() {
    if (admitsUnreadable) {
      return new ParametersBody(Map.of(), true);
    }
    throw new InvalidRequestException(
        "The body can't be read: code of the application has read it before its limits.");
  }

  @Override
  public int wantedBytes() {
    return isAnnouncedTooLong() ? 0 : bounds.maxBytes() + 1;
  }

  @Override
  public Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, bounds.timeoutNanos() - (nanoTime.getAsLong() - start)));
  }

  @Override
  public void late() {
    if (!formats.inShadow()) {
      throw new UnreadableBodyException(
          UnreadableBodyException.TOO_SLOW, "The body didn't arrive in time.");
    }
    releaseSlot.run(); // the application would wait as well, but no slot is for that
  }

  @Override
  public ReadBody read(BodyStream stream, Optional<String> encoding) throws IOException {
    if (isAnnouncedTooLong()) {
      return tooLong(NONE);
    }
    byte[] sent = readSent(stream.open());
    if (sent.length > bounds.maxBytes()) {
      return tooLong(sent);
    }
    if (sent.length == 0) {
      return new BodyContent(sent, true, false, Optional.empty(), admitsUnreadable, null);
    }
    try {
      boolean isCoded = isCoded() && isGzip(sent);
      Optional<ContentType> type = ContentType.of(request.headers("Content-Type"));
      if (!admitsUnreadable) {
        requireReadable(type);
      }
      byte[] plain = isCoded ? inflate(sent) : sent;
      return new BodyContent(
          sent,
          true,
          isCoded,
          type.map(each -> new BodyContent.Decoding(plain, each, encoding, bounds.maxDepth())),
          admitsUnreadable,
          null);
    } catch (InvalidRequestException | UnreadableBodyException unreadable) {
      if (!admitsUnreadable) {
        throw unreadable;
      }
      return new BodyContent(sent, true, false, Optional.empty(), true, unreadable);
    }
  }

  private void requireReadable(Optional<ContentType> type) {
    if (type.filter(formats::canRead).isEmpty()) {
      throw new InvalidRequestException("The type of the body must be " + formats.names() + ".");
    }
  }

  private boolean isAnnouncedTooLong() {
    return announcedLength() > bounds.maxBytes();
  }

  /** Returns −1 if it is unknown, or malformed, which the server has noticed before. */
  private long announcedLength() {
    List<String> lines = request.headers("Content-Length");
    try {
      return lines.isEmpty() ? -1 : Long.parseLong(lines.get(0));
    } catch (NumberFormatException garbled) {
      return -1;
    }
  }

  private ReadBody tooLong(byte[] sent) {
    if (!admitsUnreadable) {
      throw tooLong();
    }
    return new BodyContent(sent, false, false, Optional.empty(), true, tooLong());
  }

  private UnreadableBodyException tooLong() {
    return new UnreadableBodyException(
        UnreadableBodyException.TOO_LONG,
        "The body is longer than " + bounds.maxBytes() + " bytes.");
  }

  /** Reads one byte more than allowed if there are more. Waits between reads, not endlessly. */
  private byte[] readSent(InputStream stream) throws IOException {
    byte[] buffer = new byte[Math.min(FIRST_BUFFER, bounds.maxBytes() + 1)];
    int length = 0;
    while (length <= bounds.maxBytes()) {
      if (length == buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(length * 4, bounds.maxBytes() + 1));
      }
      int read = stream.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      if (nanoTime.getAsLong() - start > bounds.timeoutNanos()) {
        late();
      }
    }
    return Arrays.copyOf(buffer, length);
  }

  private boolean isCoded() {
    List<String> codings = request.headers("Content-Encoding");
    if (codings.isEmpty()) {
      return false;
    }
    String coding = String.join(",", codings).strip().toLowerCase(Locale.ROOT);
    if (coding.isEmpty() || coding.equals("identity")) {
      return false;
    }
    if (coding.equals("gzip") || coding.equals("x-gzip")) {
      return true;
    }
    throw new InvalidRequestException("The content coding of the body must be gzip, or none.");
  }

  /** A filter before Weir that has decoded the body may have left its header field. */
  private static boolean isGzip(byte[] sent) {
    return sent.length > 1 && sent[0] == 0x1F && sent[1] == (byte) 0x8B;
  }

  private byte[] inflate(byte[] sent) {
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(sent))) {
      byte[] inflated = plain.readNBytes(bounds.maxBytes() + 1);
      if (inflated.length > bounds.maxBytes()) {
        throw tooLong();
      }
      return inflated;
    } catch (IOException malformed) {
      throw new InvalidRequestException("The body isn't well-formed gzip.");
    }
  }
}
