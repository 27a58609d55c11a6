package io.weir.spring.webflux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Collects the first bytes of a body, and leaves the others with the server until somebody asks for
 * them. Releases each buffer that isn't passed on.
 *
 * <p>Safe for concurrent use.
 */
final class BodyCollector extends BaseSubscriber<DataBuffer> {
  private static final byte[] NONE = {};

  private final int wanted;
  private final ByteArrayOutputStream first = new ByteArrayOutputStream();
  private final CompletableFuture<Collected> collected = new CompletableFuture<>();

  /** The other bytes; empty until somebody asks for them. */
  private final Sinks.Many<DataBuffer> rest = Sinks.many().unicast().onBackpressureBuffer();

  /**
   * The first bytes.
   *
   * @param bytes all that have arrived, or at least as many as wanted
   * @param isWhole whether there are no others
   * @param wasTaken whether somebody else has read the body before
   */
  @SuppressWarnings("ArrayRecordComponent") // none is compared with another
  record Collected(byte[] bytes, boolean isWhole, boolean wasTaken) {}

  /**
   * Collects a number of bytes.
   *
   * @param wanted as many as are to be collected if there are as many
   */
  BodyCollector(int wanted) {
    this.wanted = wanted;
  }

  /** Returns the first bytes; fails with an {@link IOException} if the connection does. */
  CompletableFuture<Collected> collected() {
    return collected;
  }

  /** Returns the bytes after the first, for one subscriber. */
  Flux<DataBuffer> rest() {
    return rest.asFlux()
        .doOnRequest(this::request)
        .doOnCancel(this::cancel)
        .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
  }

  @Override
  protected void hookOnSubscribe(Subscription body) {
    body.request(1);
  }

  @Override
  protected void hookOnNext(DataBuffer buffer) {
    if (collected.isDone()) {
      if (rest.tryEmitNext(buffer).isFailure()) {
        DataBufferUtils.release(buffer);
      }
      return;
    }
    byte[] bytes = new byte[buffer.readableByteCount()];
    try {
      buffer.read(bytes);
    } finally {
      DataBufferUtils.release(buffer);
    }
    first.writeBytes(bytes);
    if (first.size() < wanted) {
      request(1);
    } else {
      collected.complete(new Collected(first.toByteArray(), false, false));
    }
  }

  @Override
  protected void hookOnComplete() {
    collected.complete(new Collected(first.toByteArray(), true, false));
    var unused = rest.tryEmitComplete();
  }

  /** Servers throw an {@link IllegalStateException} where somebody has subscribed before. */
  @Override
  protected void hookOnError(Throwable failure) {
    if (failure instanceof IllegalStateException && first.size() == 0) {
      collected.complete(new Collected(NONE, true, true));
    }
    collected.completeExceptionally(new IOException(failure));
    var unused = rest.tryEmitError(failure);
  }

  /** Ends whatever is under way: a buffer that comes too late is released. */
  @Override
  protected void hookOnCancel() {
    collected.completeExceptionally(new IOException("the exchange has ended"));
    var unused = rest.tryEmitComplete();
  }
}
