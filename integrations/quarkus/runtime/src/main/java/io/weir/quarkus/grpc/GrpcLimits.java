package io.weir.quarkus.grpc;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;
import io.grpc.ServiceDescriptor;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.grpc.CallPrincipal;
import io.weir.grpc.CallUser;
import io.weir.grpc.RateLimitInterceptor;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Limits the services that Quarkus binds: knows their classes, and where their calls go on.
 *
 * <p>Safe for concurrent use.
 */
@Singleton
public class GrpcLimits {
  private final RateLimitInterceptor limits;
  private final ServerInterceptor innermost;
  private final Map<String, MethodDescriptor<?, ?>> methods = new HashMap<>();

  /**
   * Reads the annotations of all services, for the first interceptor that the server needs.
   *
   * @param weir the application's
   * @param services the application's
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  @Inject
  public GrpcLimits(Weir weir, GrpcServices services) {
    limits = builder(weir).build();
    innermost = limits.innermost();
    List<String> mistakes = new ArrayList<>();
    for (InstanceHandle<BindableService> each : all(BindableService.class)) {
      services
          .annotatedClass(each.getBean().getBeanClass())
          .ifPresent(type -> limit(each.get(), type, mistakes));
    }
    if (!mistakes.isEmpty()) {
      limits.close();
    }
    InvalidPolicyException.throwIfAny(mistakes);
  }

  private static <T> List<InstanceHandle<T>> all(Class<T> type) {
    return Arc.container().listAll(type, Any.Literal.INSTANCE);
  }

  private static RateLimitInterceptor.Builder builder(Weir weir) {
    RateLimitInterceptor.Builder builder =
        RateLimitInterceptor.builder()
            .options(AdapterOptions.defaults().withWeir(weir))
            .executor(task -> ExecutorRecorder.getCurrent().execute(task))
            .callExecutor(GrpcLimits::eventLoop)
            .waitsIf(BlockingOperationControl::isBlockingAllowed)
            .begun(call -> CallContext.request())
            .principal(new IdentityPrincipal());
    all(CallPrincipal.class).forEach(each -> builder.principal(each.get()));
    all(CallUser.class).forEach(each -> builder.user(each.get()));
    return builder;
  }

  /**
   * Returns what runs tasks in the context of the call of this thread: there alone Quarkus'
   * interceptors find what they have left.
   */
  private static Executor eventLoop() {
    Context context = Vertx.currentContext();
    return context == null
        ? ExecutorRecorder.getCurrent()
        : task -> context.runOnContext(unused -> task.run());
  }

  private void limit(BindableService service, Class<?> type, List<String> mistakes) {
    ServiceDescriptor bound = service.bindService().getServiceDescriptor();
    bound.getMethods().forEach(each -> methods.put(each.getFullMethodName(), each));
    try {
      limits.limit(bound, type);
    } catch (InvalidPolicyException found) {
      mistakes.addAll(found.mistakes());
    }
  }

  /**
   * Is made with the application at the latest, so that mistakes fail its start.
   *
   * @param opened the application's
   */
  void start(@Observes Adapter opened) {}

  /** Returns a method by its full name; null if it is none of the application's services. */
  @Nullable MethodDescriptor<?, ?> method(String name) {
    return methods.get(name);
  }

  /** Returns what stands before the sign-in. */
  ServerInterceptor outermost() {
    return limits;
  }

  /** Returns what stands after all other interceptors. */
  ServerInterceptor innermost() {
    return innermost;
  }

  /** Called by Quarkus. */
  @PreDestroy
  void close() {
    limits.close();
  }
}
