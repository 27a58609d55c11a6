package io.weir.grpc;

import io.grpc.ServerCall;
import io.weir.adapter.LimitedRequest;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds the request of a call to each thread in which its events are handled, answers refusals that
 * the handler throws, and reports the end.
 *
 * <p>As thread-safe as what it passes the events to.
 */
final class BoundListener<Q> extends ServerCall.Listener<Q> {
  private final GuardedCall<?, ?> guarded;
  private final ServerCall<Q, ?> call;
  private final boolean isOutermost;
  private final ServerCall.Listener<Q> handler;

  private BoundListener(
      GuardedCall<?, ?> guarded,
      ServerCall<Q, ?> call,
      boolean isOutermost,
      ServerCall.Listener<Q> handler) {
    this.guarded = guarded;
    this.call = call;
    this.isOutermost = isOutermost;
    this.handler = handler;
  }

  /**
   * Starts a handler.
   *
   * @param call what the handler gets, closed if it throws a refusal
   * @param method the Java method that it calls, if its policies have been decided; null for the
   *     application's interceptors
   * @param isOutermost whether no other listener like this one stands around it
   */
  static <Q> ServerCall.Listener<Q> start(
      GuardedCall<?, ?> guarded,
      ServerCall<Q, ?> call,
      @Nullable Method method,
      boolean isOutermost,
      Supplier<ServerCall.Listener<Q>> handler) {
    if (method != null) {
      guarded.request().charged(method); // once, and not in each event
    }
    try (LimitedRequest.Binding unused = guarded.request().bind(null)) {
      return new BoundListener<>(guarded, call, isOutermost, handler.get());
    } catch (RuntimeException | Error thrown) {
      guarded.answerOrThrow(call, thrown, isOutermost);
      return new ServerCall.Listener<>() {};
    }
  }

  private void run(Runnable event) {
    try (LimitedRequest.Binding unused = guarded.request().bind(null)) {
      event.run();
    } catch (RuntimeException | Error thrown) {
      guarded.answerOrThrow(call, thrown, isOutermost);
    }
  }

  @Override
  public void onMessage(Q message) {
    run(() -> handler.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    run(handler::onHalfClose);
  }

  @Override
  public void onCancel() {
    guarded.request().failed();
    run(handler::onCancel);
  }

  /** Reports a failure unless the call was closed, which has reported its status. */
  @Override
  public void onComplete() {
    guarded.request().failed();
    run(handler::onComplete);
  }

  @Override
  public void onReady() {
    run(handler::onReady);
  }

  @Override
  public void onEvent(Object event) {
    run(() -> handler.onEvent(event));
  }
}
