package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.scheduler.Schedulers;

/**
 * Limits methods whose results end later than they return, where Reactor is present. Loaded only
 * there.
 */
final class ReactiveInvocations {
  private ReactiveInvocations() {}

  /** Finds the way in which the calls of a method are limited. */
  static LimitedInvocation of(BeanMethod method, LimitedCall call, Adapter limits) {
    Class<?> result = method.method().getReturnType();
    LimitedInvocation plain = new PlainInvocation(call);
    if (result == CompletionStage.class || result == CompletableFuture.class) {
      return new StageInvocation(call, plain);
    }
    ReactiveAdapter kind = adapter(result);
    return kind == null ? plain : new PublisherInvocation(call, kind, limits);
  }

  /**
   * Finds the adapter of a reactive type. A subtype, such as a {@code ConnectableFlux}, has none:
   * what replaces the result must have its type.
   */
  private static @Nullable ReactiveAdapter adapter(Class<?> result) {
    if (CompletionStage.class.isAssignableFrom(result)) {
      return null;
    }
    ReactiveAdapter found = ReactiveAdapterRegistry.getSharedInstance().getAdapter(result);
    return found != null && found.getReactiveType() == result ? found : null;
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    var unused = Schedulers.boundedElastic().schedule(task);
  }
}
