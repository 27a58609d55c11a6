package io.weir.cdi;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedSubscription;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Limits methods whose results end later than they return, where Mutiny is present. Loaded only
 * there.
 */
final class MutinyInvocations {
  private MutinyInvocations() {}

  static LimitedInvocation of(Method method, LimitedCall call, Adapter limits) {
    Class<?> result = method.getReturnType();
    if (result == Uni.class) {
      return new UniInvocation(call, limits);
    }
    if (result == Multi.class) {
      return new MultiInvocation(call, limits);
    }
    LimitedInvocation plain = new PlainInvocation(call);
    return result == CompletionStage.class || result == CompletableFuture.class
        ? new StageInvocation(call, limits, plain)
        : new WaitingInvocation(call, plain, method, limits);
  }

  /**
   * Takes one subscription to the result of a method. A container's chain of interceptors isn't
   * made for several threads.
   */
  @SuppressWarnings("unchecked") // checked by the type that the method returns
  static <T> LimitedSubscription<T> subscription(LimitedCall call, InvocationContext method) {
    return new LimitedSubscription<>(
        call,
        method.getParameters(),
        () -> {
          synchronized (method) {
            return (T) method.proceed();
          }
        },
        MutinyInvocations::goOn);
  }

  /**
   * Decides for the caller of the thread, else for the one whose request has called the method.
   *
   * @return the result of the method, once the call is admitted; else the refusal
   */
  static <T> Uni<T> decided(
      LimitedSubscription<T> one, Adapter limits, Optional<LimitedRequest> assembled) {
    Optional<LimitedRequest> caller = limits.currentRequest().or(() -> assembled);
    return Uni.createFrom()
        .completionStage(
            one.decide(
                () ->
                    caller
                        .filter(each -> !each.isBound())
                        .map(each -> each.bind(null))
                        .orElse(null),
                limits.callsApplication() && !Infrastructure.canCallerThreadBeBlocked()));
  }

  static void end(LimitedSubscription<?> one, @Nullable Throwable failure, boolean cancelled) {
    if (failure != null) {
      one.failed(failure);
    } else if (cancelled) {
      one.cancelled();
    } else {
      one.completed();
    }
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    Infrastructure.getDefaultExecutor().execute(task);
  }
}
