package io.weir.spring.web;

import io.weir.adapter.LimitedEndpoint;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.InputStream;
import java.io.Reader;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpEntity;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;

/**
 * A handler of Spring MVC, with the policies that limit it.
 *
 * @param endpoint its policies
 * @param method the method that carries them, as it is written; null for a handler without one
 * @param answersHead whether it has code of its own for HEAD, instead of that for GET
 */
record MvcHandler(LimitedEndpoint endpoint, @Nullable Method method, boolean answersHead) {
  /** Types and annotations of parameters that aren't made from the parameters of the request. */
  private static final List<Class<?>> TYPES =
      List.of(
          ServletRequest.class,
          ServletResponse.class,
          InputStream.class,
          Reader.class,
          HttpEntity.class,
          Principal.class);

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(RequestBody.class, RequestHeader.class, PathVariable.class, CookieValue.class);

  /** Returns whether Spring MVC makes an argument from the request's parameters, as of a form. */
  boolean bindsParameters() {
    return method != null && Arrays.stream(method.getParameters()).anyMatch(MvcHandler::isBound);
  }

  private static boolean isBound(Parameter parameter) {
    return TYPES.stream().noneMatch(each -> each.isAssignableFrom(parameter.getType()))
        && ANNOTATIONS.stream().noneMatch(parameter::isAnnotationPresent);
  }
}
