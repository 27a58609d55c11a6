package io.weir.testkit.junit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The settings of a test's Weir.
 *
 * @param values by full names
 * @param isAmbient whether those of the environment are read too
 */
record TestSettings(Map<String, String> values, boolean isAmbient) {
  /** Merges the annotations of a test and of what encloses it; the innermost wins. */
  static TestSettings of(ExtensionContext test) {
    Deque<ExtensionContext> outermostFirst = new ArrayDeque<>();
    for (Optional<ExtensionContext> each = Optional.of(test);
        each.isPresent();
        each = each.get().getParent()) {
      outermostFirst.push(each.get());
    }
    Map<String, String> values = new LinkedHashMap<>();
    boolean isAmbient = false;
    for (ExtensionContext each : outermostFirst) {
      Optional<WeirTest> annotation =
          AnnotationSupport.findAnnotation(each.getElement(), WeirTest.class);
      if (annotation.isPresent()) {
        add(annotation.get().settings(), values, each);
        isAmbient |= annotation.get().ambientSettings();
      }
    }
    return new TestSettings(values, isAmbient);
  }

  private static void add(String[] settings, Map<String, String> values, ExtensionContext where) {
    for (String each : settings) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw new ParameterResolutionException(
            "@WeirTest on "
                + where.getElement().map(Object::toString).orElse(where.getDisplayName())
                + ": settings has \""
                + each
                + "\"; write each setting as name=value, such as \"weir.headers=none\"");
      }
      values.put(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
    }
  }
}
