package io.weir.spring.web;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Keeps the error page of Spring Boot away, so that the application can have one of its own at
 * {@code /error}. The interface that says so has another name in each Spring Boot.
 */
final class OwnErrorPage implements ImportBeanDefinitionRegistrar {
  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    Class<?> type =
        Stream.of(
                "org.springframework.boot.webmvc.error.ErrorController",
                "org.springframework.boot.web.servlet.error.ErrorController")
            .filter(each -> ClassUtils.isPresent(each, null))
            .map(each -> ClassUtils.resolveClassName(each, null))
            .findFirst()
            .orElseThrow();
    registry.registerBeanDefinition("ownErrorPage", definition(type));
  }

  private static <T> RootBeanDefinition definition(Class<T> type) {
    return new RootBeanDefinition(
        type,
        () ->
            type.cast(
                Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, values) ->
                        switch (method.getName()) {
                          case "hashCode" -> 1;
                          case "equals" -> proxy == values[0];
                          default -> "own error page";
                        })));
  }
}
