package io.weir.cdi;

import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.types.Type;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds objects with limits that the container doesn't make by their class, and so can't intercept:
 * what producers return, and classes that aren't beans.
 *
 * <p>What may be right is only warned of: a producer may return a bean, and a class may be no bean
 * since the application has switched it off.
 */
final class UninterceptedObjects {
  private static final String REMEDY = "; make it a bean of its class, or weave it with AspectJ";

  private final Map<String, Boolean> marked;
  private final Map<String, LimitedClass> classes = new TreeMap<>();
  private final Set<String> beans = new HashSet<>();

  /** Beans' classes with all that they extend and implement. */
  private final Set<String> ofBeans = new HashSet<>();

  /** Classes with limits, and what makes objects of them. */
  private final Map<String, String> made = new TreeMap<>();

  private final Set<String> ofWeb = new HashSet<>();

  /**
   * Makes an empty list.
   *
   * @param marked see {@link LimitedClass#mayLimit}
   */
  UninterceptedObjects(Map<String, Boolean> marked) {
    this.marked = marked;
  }

  void addClass(LimitedClass type) {
    classes.put(type.type().name(), type);
  }

  void addBean(BeanInfo bean) {
    if (bean.isClassBean()) {
      beans.add(bean.declaringClass().name());
      return;
    }
    for (Type each : bean.types()) {
      declaration(each)
          .filter(type -> LimitedClass.mayLimit(type, marked))
          .map(LimitedClass::new)
          .filter(LimitedClass::isAnnotated)
          .ifPresent(type -> addMade(type, bean));
    }
  }

  private void addMade(LimitedClass type, BeanInfo bean) {
    String name = type.type().name();
    made.put(name, maker(bean));
    if (WebMethods.isResource(type)) {
      ofWeb.add(name);
    }
  }

  private static String maker(BeanInfo bean) {
    String declaring = bean.declaringClass().name();
    if (bean.isProducerMethod()) {
      return declaring + "#" + bean.producerMethod().name();
    }
    return bean.isProducerField()
        ? declaring + "#" + bean.producerField().name()
        : "an extension of CDI";
  }

  private static Optional<ClassInfo> declaration(Type type) {
    return switch (type.kind()) {
      case CLASS -> Optional.of(type.asClass().declaration());
      case PARAMETERIZED_TYPE -> Optional.of(type.asParameterizedType().declaration());
      default -> Optional.empty();
    };
  }

  /** Reports what is certainly not intercepted as an error, and the rest as a warning. */
  void report(Messages messages) {
    classes.forEach(
        (name, type) -> {
          if (beans.contains(name)) {
            type.ancestors().forEach(each -> ofBeans.add(each.name()));
          }
        });
    made.forEach(
        (type, maker) -> {
          if (ofBeans.contains(type) || ofWeb.contains(type)) {
            messages.warn(
                type
                    + " has limits, which hold for beans of its classes and for requests; an object"
                    + " that "
                    + maker
                    + " makes itself isn't limited");
          } else {
            messages.error(
                type
                    + " has limits, but its objects are made by "
                    + maker
                    + ": the container intercepts only what it makes by its class"
                    + REMEDY);
          }
        });
    classes.forEach(
        (name, type) -> {
          if (!ofBeans.contains(name) && !made.containsKey(name) && isMeant(type)) {
            reportNoBean(messages, type);
          }
        });
  }

  private static boolean isMeant(LimitedClass type) {
    return type.isAnnotated()
        && !WebMethods.isServlet(type)
        && !WebMethods.isResource(type)
        && type.carriers().stream().noneMatch(WovenMethods::isWoven);
  }

  private static void reportNoBean(Messages messages, LimitedClass type) {
    String mistake =
        type.type().name() + " has limits, but isn't a bean: nothing intercepts its calls" + REMEDY;
    if (type.type().hasAnnotation(each -> !each.name().startsWith("io.weir."))) {
      messages.warn(mistake);
    } else {
      messages.error(mistake);
    }
  }
}
