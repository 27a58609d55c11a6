package io.weir.spring.webflux;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.http.MediaType;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;

/**
 * Lets refusals of limited calls pass the {@code @ExceptionHandler} methods of the application,
 * such as one for every exception: they reach the filter, which answers them. A method that names
 * the exceptions of refusals itself still handles them.
 *
 * <p>WebFlux asks these methods within its handler adapter and has no place before them. So this
 * replaces the adapter's own resolvers of exception handlers by ones that don't see refusals.
 *
 * <p>Safe for concurrent use.
 */
final class RefusalsPass {
  private static final String RESOLVER_FIELD = "methodResolver";
  private static final String CONTROLLERS_FIELD = "exceptionHandlerCache";
  private static final String ADVICES_FIELD = "exceptionHandlerAdviceCache";

  private static final String RESOLVER_TYPE =
      "org.springframework.web.reactive.result.method.annotation.ControllerMethodResolver";

  private static final System.Logger LOG = System.getLogger(WebFluxRateLimitFilter.class.getName());

  private final Map<Class<?>, ExceptionHandlerMethodResolver> controllers;

  private RefusalsPass(Map<Class<?>, ExceptionHandlerMethodResolver> controllers) {
    this.controllers = controllers;
  }

  /**
   * Lets refusals pass the exception handlers for all controllers.
   *
   * @return null if this version of WebFlux isn't made as expected; logged
   */
  @SuppressWarnings("unchecked") // checked as far as the values are
  static @Nullable RefusalsPass install(RequestMappingHandlerAdapter adapter) {
    try {
      Object resolver = field(adapter, RESOLVER_FIELD);
      Map<ControllerAdviceBean, ExceptionHandlerMethodResolver> advices =
          (Map<ControllerAdviceBean, ExceptionHandlerMethodResolver>)
              field(resolver, ADVICES_FIELD);
      advices.replaceAll(
          (advice, before) ->
              advice.getBeanType() == null ? before : new Resolver(advice.getBeanType()));
      return new RefusalsPass(
          (Map<Class<?>, ExceptionHandlerMethodResolver>) field(resolver, CONTROLLERS_FIELD));
    } catch (RuntimeException unexpected) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The @ExceptionHandler methods of this application also get the refusals of limited"
              + " calls, and may answer them with another status than 429: Weir can't come before"
              + " the exception handlers of this version of Spring WebFlux. Handle"
              + " RateLimitExceededException there.",
          unexpected);
      return null;
    }
  }

  /** Registers the fields that are read, for a native image. */
  static void register(RuntimeHints hints) {
    hints
        .reflection()
        .registerType(RequestMappingHandlerAdapter.class, type -> type.withField(RESOLVER_FIELD))
        .registerType(
            TypeReference.of(RESOLVER_TYPE),
            type -> type.withField(CONTROLLERS_FIELD).withField(ADVICES_FIELD));
  }

  private static Object field(Object object, String name) {
    Class<?> type = object.getClass();
    Field field = ReflectionUtils.findField(type, name);
    if (field == null) {
      throw new IllegalStateException(type + " has no field " + name);
    }
    ReflectionUtils.makeAccessible(field);
    Object value = ReflectionUtils.getField(field, object);
    if (value == null) {
      throw new IllegalStateException(field + " is null");
    }
    return value;
  }

  /** Lets refusals pass the exception handlers of one controller. */
  void controller(Class<?> type) {
    controllers.computeIfPresent(
        type, (known, before) -> before instanceof Resolver ? before : new Resolver(known));
    controllers.computeIfAbsent(type, Resolver::new);
  }

  private static final class Resolver extends ExceptionHandlerMethodResolver {
    Resolver(Class<?> type) {
      super(type);
    }

    @Override
    public @Nullable ExceptionHandlerMappingInfo resolveExceptionMapping(
        Throwable exception, MediaType accepted) {
      ExceptionHandlerMappingInfo found = super.resolveExceptionMapping(exception, accepted);
      return found != null && isRefusal(exception) && !namesRefusals(found) ? null : found;
    }

    private static boolean namesRefusals(ExceptionHandlerMappingInfo handler) {
      return handler.getExceptionTypes().stream()
          .anyMatch(
              each ->
                  each == RateLimitExceededException.class
                      || each == InvalidRequestException.class);
    }
  }

  /** Looks behind those that wrap exceptions of other threads; not behind an application's own. */
  private static boolean isRefusal(Throwable exception) {
    Throwable each = exception;
    while (isWrapper(each) && each.getCause() != null) {
      each = each.getCause();
    }
    return each instanceof RateLimitExceededException || each instanceof InvalidRequestException;
  }

  private static boolean isWrapper(Throwable exception) {
    return exception instanceof CompletionException
        || exception instanceof ExecutionException
        || exception instanceof InvocationTargetException
        || exception.getClass().getName().startsWith("reactor.core.Exceptions$");
  }
}
