package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.spring.SuspendFunctions;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlinx.coroutines.flow.Flow;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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
    if (SuspendFunctions.canCall(method.method())) {
      return new PublisherInvocation(call, suspended(method.method()), limits);
    }
    if (result == CompletionStage.class || result == CompletableFuture.class) {
      return new StageInvocation(call, limits, plain);
    }
    ReactiveAdapter kind = adapter(result);
    return kind == null ? plain : new PublisherInvocation(call, kind, limits);
  }

  /**
   * Finds the adapter of the publisher that proxies of Spring await in place of a suspend function,
   * or make a flow of.
   */
  private static ReactiveAdapter suspended(Method function) {
    boolean many = MethodParameter.forExecutable(function, -1).getParameterType() == Flow.class;
    return Objects.requireNonNull(adapter(many ? Flux.class : Mono.class));
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

  /** Returns whether deciding may block, by parts of the application, and this thread must not. */
  static boolean mustDecideElsewhere(Adapter limits) {
    return limits.callsApplication() && Schedulers.isInNonBlockingThread();
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    var unused = Schedulers.boundedElastic().schedule(task);
  }
}
