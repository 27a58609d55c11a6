package io.weir.spring;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.spi.CostResolver;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestCondition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Finds the mistakes in the annotations of all beans where the settings have mistakes, so that one
 * report has both.
 */
final class AnnotationMistakes {
  private static final String CONTROLLER = "org.springframework.stereotype.Controller";
  private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

  private AnnotationMistakes() {}

  /** Checks the classes of all beans, with a Weir that has no settings. */
  static Optional<InvalidPolicyException> of(ConfigurableListableBeanFactory beans) {
    Map<EndpointType, Set<Class<?>>> types = new LinkedHashMap<>();
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(name, false);
      if (type != null) {
        Class<?> written = ClassUtils.getUserClass(type);
        if (LimitedTypes.carryLimit(written)) {
          types.computeIfAbsent(typeOf(written), each -> new LinkedHashSet<>()).add(written);
        }
      }
    }
    List<String> mistakes = new ArrayList<>();
    try (Weir weir = plain(beans);
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      types.forEach(
          (type, classes) -> {
            try {
              adapter.check(classes, type);
            } catch (InvalidPolicyException found) {
              mistakes.addAll(found.mistakes());
            }
          });
    }
    return mistakes.isEmpty()
        ? Optional.empty()
        : Optional.of(new InvalidPolicyException(mistakes.stream().distinct().toList()));
  }

  /** Makes a Weir that knows the names of the parts that annotations may refer to. */
  private static Weir plain(ConfigurableListableBeanFactory beans) {
    WeirBuilder builder = Weir.builder().onlyGivenSettings();
    BeanParts.named(beans, KeyResolver.class, KeyResolver::name).forEach(builder::keyResolver);
    BeanParts.named(beans, CostResolver.class, CostResolver::name).forEach(builder::costResolver);
    BeanParts.named(beans, RequestCondition.class, RequestCondition::name)
        .forEach(builder::requestCondition);
    return builder.build();
  }

  private static EndpointType typeOf(Class<?> written) {
    MergedAnnotations found = MergedAnnotations.from(written, SearchStrategy.TYPE_HIERARCHY);
    return found.isPresent(CONTROLLER) || found.isPresent(MAPPING)
        ? SpringEndpoints.TYPE
        : EndpointType.METHOD;
  }
}
