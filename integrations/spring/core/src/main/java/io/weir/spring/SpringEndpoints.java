package io.weir.spring;

import io.weir.adapter.EndpointType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.service.annotation.HttpExchange;

/** Defines the type of endpoints that handlers of Spring MVC and WebFlux have. */
public final class SpringEndpoints {
  /** A handler method of a controller. */
  public static final EndpointType TYPE =
      new EndpointType("SPRING", true, false, false, true, SpringEndpoints::httpMethod);

  private SpringEndpoints() {}

  /** Reads the one method that the mappings of the Java method and of its class name together. */
  private static Optional<String> httpMethod(Method method) {
    Set<String> named = new TreeSet<>();
    add(method, named);
    if (named.isEmpty() && !isMapped(method)) {
      return Optional.empty();
    }
    add(method.getDeclaringClass(), named);
    return named.size() == 1 ? Optional.of(named.iterator().next()) : Optional.empty();
  }

  private static boolean isMapped(Method method) {
    MergedAnnotations found = annotations(method);
    return found.isPresent(RequestMapping.class) || found.isPresent(HttpExchange.class);
  }

  private static void add(AnnotatedElement element, Set<String> named) {
    MergedAnnotations found = annotations(element);
    MergedAnnotation<RequestMapping> mapping = found.get(RequestMapping.class);
    if (mapping.isPresent()) {
      for (RequestMethod each : mapping.getEnumArray("method", RequestMethod.class)) {
        named.add(each.name());
      }
    }
    MergedAnnotation<HttpExchange> exchange = found.get(HttpExchange.class);
    if (exchange.isPresent() && !exchange.getString("method").isBlank()) {
      named.add(exchange.getString("method").trim().toUpperCase(Locale.ROOT));
    }
  }

  private static MergedAnnotations annotations(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
  }
}
