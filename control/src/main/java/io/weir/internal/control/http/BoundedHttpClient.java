package io.weir.internal.control.http;

import io.weir.internal.value.DurationText;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to other servers, with one time-out for connection, head and body together. The
 * time-out of Java's client ends with the head, so that a server that stalls in its body would keep
 * the caller waiting for ever.
 *
 * <p>Safe for concurrent use.
 */
public final class BoundedHttpClient {
  private final HttpClient client;
  private final Duration timeout;
  private final int maxBytes;

  /** Makes a client that follows no redirects. */
  public BoundedHttpClient(Duration timeout, int maxBytes) {
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.timeout = timeout;
    this.maxBytes = maxBytes;
  }

  /**
   * A response.
   *
   * @param body empty if it didn't come in time, or was too long
   */
  public record Answer(int status, Optional<byte[]> body) {}

  /**
   * Sends a request and waits for its response.
   *
   * @return the response; without its body if only the head came in time
   * @throws IOException if no head came in time, or there is no connection
   * @throws InterruptedException if the thread is interrupted; the exchange ends too
   */
  public Answer send(HttpRequest request) throws IOException, InterruptedException {
    AtomicInteger status = new AtomicInteger();
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            request,
            head -> {
              status.set(head.statusCode());
              return new BoundedBody(maxBytes);
            });
    try {
      HttpResponse<byte[]> whole = exchange.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return new Answer(whole.statusCode(), Optional.of(whole.body()));
    } catch (TimeoutException late) {
      return headOf(status, new IOException("no response within " + DurationText.inWords(timeout)));
    } catch (ExecutionException failed) {
      return headOf(
          status, failed.getCause() instanceof IOException cause ? cause : new IOException(failed));
    } finally {
      exchange.cancel(true); // or its connection would stay open
    }
  }

  private static Answer headOf(AtomicInteger status, IOException failure) throws IOException {
    if (status.get() == 0) {
      throw failure;
    }
    return new Answer(status.get(), Optional.empty());
  }

  /** Collects a body up to a bound. Confine to the thread that signals. */
  private static final class BoundedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private long left;
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int maxBytes) {
      this.left = maxBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return bytes.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      bytes.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
      for (ByteBuffer each : pieces) {
        left -= each.remaining();
      }
      if (left >= 0) {
        bytes.onNext(pieces);
      } else if (subscription != null) {
        subscription.cancel();
        subscription = null;
        bytes.onError(new IOException("the body is too long"));
      }
    }

    @Override
    public void onError(Throwable failed) {
      bytes.onError(failed);
    }

    @Override
    public void onComplete() {
      bytes.onComplete();
    }
  }
}
