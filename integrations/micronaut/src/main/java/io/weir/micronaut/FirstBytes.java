package io.weir.micronaut;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Collects the first bytes of a body, and no more.
 *
 * <p>Safe for concurrent use.
 */
final class FirstBytes extends BaseSubscriber<byte[]> {
  private final int wanted;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> collected = new CompletableFuture<>();

  /**
   * Collects a number of bytes.
   *
   * @param wanted as many as are to be collected if there are as many
   */
  FirstBytes(int wanted) {
    this.wanted = wanted;
  }

  /** Returns all bytes that have arrived; fails with an {@link IOException} if the body does. */
  CompletableFuture<byte[]> collected() {
    return collected;
  }

  @Override
  protected void hookOnSubscribe(Subscription body) {
    body.request(1);
  }

  @Override
  protected void hookOnNext(byte[] part) {
    bytes.writeBytes(part);
    if (bytes.size() < wanted) {
      request(1);
    } else {
      cancel();
      collected.complete(bytes.toByteArray());
    }
  }

  @Override
  protected void hookOnComplete() {
    collected.complete(bytes.toByteArray());
  }

  @Override
  protected void hookOnError(Throwable failure) {
    collected.completeExceptionally(new IOException(failure));
  }
}
