package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.ExactRequest;
import io.weir.store.GcraReply;
import io.weir.store.GcraRequest;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Encodes requests to the scripts that count buckets exactly, and decodes their replies.
 *
 * <p>Immutable.
 */
final class ExactRequestCodec {
  private static final int STEP_REFILL_NUMBERS = 2;
  private static final int GCRA_NUMBERS = 4;

  private final RedisScript reduce;
  private final RedisScript throttle;

  ExactRequestCodec() {
    this(UnaryOperator.identity());
  }

  /** Changes the scripts, for tests that set the clock. */
  ExactRequestCodec(UnaryOperator<String> change) {
    reduce = new RedisScript(change.apply(RedisScript.resource("reduce.lua")));
    throttle = new RedisScript(change.apply(RedisScript.resource("throttle.lua")));
  }

  EvalCall call(ExactRequest<?> request, byte[] key) {
    return script(request).call(List.of(key), args(request));
  }

  RedisScript script(ExactRequest<?> request) {
    return request instanceof StepRefillRequest ? reduce : throttle;
  }

  List<byte[]> args(ExactRequest<?> request) {
    if (request instanceof StepRefillRequest step) {
      return List.of(
          text(step.max()),
          text(step.refill()),
          text(step.refillMillis()),
          text(step.take()),
          text(step.at()),
          text(step.strict() ? 1 : 0));
    }
    GcraRequest gcra = (GcraRequest) request;
    return List.of(
        text(gcra.maxBurst()),
        text(gcra.count()),
        text(gcra.periodMicros()),
        text(gcra.quantity()));
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(US_ASCII);
  }

  /**
   * Decodes a reply.
   *
   * @throws StoreUnavailableException if no script of Weir can reply this
   */
  @SuppressWarnings("unchecked") // each kind of request has its reply
  <R> R read(ExactRequest<R> request, @Nullable Object reply) {
    if (request instanceof StepRefillRequest) {
      long[] numbers = numbers(reply, STEP_REFILL_NUMBERS);
      return (R) new StepRefillReply(numbers[0], numbers[1]);
    }
    long[] numbers = numbers(reply, GCRA_NUMBERS);
    return (R) new GcraReply(numbers[0] == 1, numbers[1], numbers[2], numbers[3]);
  }

  private static long[] numbers(@Nullable Object reply, int count) {
    if (reply instanceof List<?> parts && parts.size() == count) {
      long[] numbers = new long[count];
      for (int i = 0; i < count; i++) {
        if (!(parts.get(i) instanceof Long number)) {
          throw odd();
        }
        numbers[i] = number;
      }
      return numbers;
    }
    throw odd();
  }

  private static StoreUnavailableException odd() {
    return new StoreUnavailableException("unexpected answer of a script that counts exactly");
  }
}
