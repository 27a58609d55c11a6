package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.weir.RateLimitExceededException;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Translates between refusals, statuses of gRPC and those of HTTP. */
final class RefusalStatus {
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /** By the names of header fields, which are few: those of the dialect. */
  private static final Map<String, Metadata.Key<String>> KEYS = new ConcurrentHashMap<>();

  private static final String NEVER = "-1";
  private static final String RETRY_AFTER = "Retry-After";

  /** Clients take 8 KiB of trailers, where a text is sent twice, up to three bytes a character. */
  private static final int MAX_TEXT = 512;

  private RefusalStatus() {}

  /** Returns the status of a refused call. */
  static Status of(Refusal refusal) {
    Status status =
        switch (refusal.status()) {
          case 400 -> Status.INVALID_ARGUMENT;
          case 403 -> Status.PERMISSION_DENIED;
          case 503 -> Status.UNAVAILABLE;
          default -> Status.RESOURCE_EXHAUSTED;
        };
    String text = refusal.contentType().startsWith("text/") ? refusal.text() : refusal.detail();
    return status.withDescription(text.substring(0, Math.min(text.length(), MAX_TEXT)));
  }

  /**
   * Adds when the client may retry: as {@code RetryInfo} to applications, and to gRPC's own
   * retries, which obey only the number of milliseconds.
   *
   * @param status the status that the call ends with
   */
  static void addRetry(Refusal refusal, Status status, Metadata trailers) {
    Optional<Long> seconds = retryAfterSeconds(refusal);
    replace(trailers, PUSHBACK, seconds.map(each -> Long.toString(each * 1000)).orElse(NEVER));
    seconds.ifPresent(
        each ->
            replace(
                trailers,
                DETAILS,
                StatusDetails.write(
                    status.getCode().value(), String.valueOf(status.getDescription()), each)));
  }

  private static Optional<Long> retryAfterSeconds(Refusal refusal) {
    return refusal.headers().stream()
        .filter(each -> each.name().equals(RETRY_AFTER))
        .map(each -> Long.valueOf(each.value()))
        .findFirst();
  }

  /** Writes header fields as metadata, in place of earlier values. */
  static void put(Collection<HeaderField> fields, Metadata metadata) {
    for (HeaderField each : fields) {
      replace(
          metadata,
          KEYS.computeIfAbsent(
              each.name(), name -> Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)),
          each.value());
    }
  }

  private static <T> void replace(Metadata metadata, Metadata.Key<T> key, T value) {
    metadata.discardAll(key);
    metadata.put(key, value);
  }

  /** Returns the status of HTTP that gRPC's documentation gives for a code. */
  static int toHttp(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case CANCELLED -> 499;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
    };
  }

  /**
   * Finds the refusal of a limited call that the handler made, perhaps wrapped in other exceptions.
   *
   * @return the status by what is known without asking the store; null if it is no refusal
   */
  static @Nullable Status thrown(@Nullable Throwable thrown) {
    return Refusal.thrownIn(thrown)
        .map(
            each ->
                (each instanceof RateLimitExceededException
                        ? Status.RESOURCE_EXHAUSTED
                        : Status.INVALID_ARGUMENT)
                    .withCause(each))
        .orElse(null);
  }
}
