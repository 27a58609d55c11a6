package io.weir.spring.method;

import io.weir.spring.SpringClasses;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Finds controllers that other beans may call. The web adapter limits the handlers of a controller
 * without a proxy; a direct call passes it by. To call a handler, or to hand the controller on, a
 * class must name it, or a class or interface of the application that it extends: so a controller
 * that no other bean's class file names isn't called. Reflection, and beans that are made by a
 * supplier, are out of reach.
 *
 * <p>Safe for concurrent use.
 */
final class ControllerCallers {
  private static final List<String> FRAMEWORKS = List.of("java.", "jakarta.");

  private final ConfigurableListableBeanFactory beans;
  private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();
  private volatile @Nullable Map<String, String> files;

  ControllerCallers(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Returns whether a bean's class names a controller. */
  boolean mayCall(Class<?> controller) {
    return known.computeIfAbsent(controller, this::isNamed);
  }

  private boolean isNamed(Class<?> controller) {
    List<String> names = names(controller);
    Set<String> own = new LinkedHashSet<>();
    for (Class<?> each = controller; each != null; each = each.getSuperclass()) {
      own.add(each.getName());
    }
    return files().entrySet().stream()
        .filter(each -> own.stream().noneMatch(name -> isPartOf(each.getKey(), name)))
        .anyMatch(each -> names.stream().anyMatch(each.getValue()::contains));
  }

  private static boolean isPartOf(String name, String type) {
    return name.equals(type) || name.startsWith(type + "$");
  }

  /** Returns the names by which code may refer to a controller, as class files write them. */
  private static List<String> names(Class<?> controller) {
    Stream<Class<?>> above =
        Stream.concat(
            Stream.<Class<?>>iterate(controller, each -> each != null, Class::getSuperclass),
            Arrays.stream(ClassUtils.getAllInterfacesForClass(controller)));
    return above
        .filter(each -> isOutside(each.getName()) && !SpringClasses.isOfSpring(each))
        .map(Class::getName)
        .map(ClassUtils::convertClassNameToResourcePath)
        .toList();
  }

  private static boolean isOfApplication(String name) {
    return isOutside(name) && !SpringClasses.isOfSpring(name);
  }

  private static boolean isOutside(String name) {
    return FRAMEWORKS.stream().noneMatch(name::startsWith);
  }

  /** Reads the class files of all beans once, each as the text that it contains. */
  private Map<String, String> files() {
    Map<String, String> read = files;
    if (read == null) {
      read = new ConcurrentHashMap<>();
      for (String name : beans.getBeanDefinitionNames()) {
        for (String type : types(beans.getBeanDefinition(name))) {
          if (isOfApplication(type) && !read.containsKey(type)) {
            Optional<byte[]> file = ClassFiles.read(type, beans.getBeanClassLoader());
            if (file.isPresent()) {
              read.put(type, new String(file.get(), StandardCharsets.ISO_8859_1));
            }
          }
        }
      }
      files = read;
    }
    return read;
  }

  /** Returns the class of a bean, and for one that a method makes, also what the method returns. */
  private static List<String> types(BeanDefinition definition) {
    List<String> types = new ArrayList<>();
    if (definition.getBeanClassName() != null) {
      types.add(userClass(definition.getBeanClassName()));
    }
    if (definition instanceof AnnotatedBeanDefinition annotated) {
      MethodMetadata factory = annotated.getFactoryMethodMetadata();
      if (factory != null) {
        types.add(factory.getDeclaringClassName());
        types.add(factory.getReturnTypeName());
      }
    }
    return types;
  }

  /** A configuration class is replaced by a generated one of Spring's. */
  private static String userClass(String name) {
    int generated = name.indexOf(ClassUtils.CGLIB_CLASS_SEPARATOR);
    return generated < 0 ? name : name.substring(0, generated);
  }
}
