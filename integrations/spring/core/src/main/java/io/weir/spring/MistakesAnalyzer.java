package io.weir.spring;

import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/**
 * Reports all mistakes in settings, annotations and beans that keep an application from starting.
 */
final class MistakesAnalyzer implements FailureAnalyzer {
  /** Matches the line of a setting that came from the environment. */
  private static final Pattern LINE =
      Pattern.compile("(weir\\..+?)( = '.*)\\(live settings\\)(.*)");

  private static final String JEDIS = "redis.clients:jedis";

  /** Spring Boot manages a Jedis that is too old for Weir. */
  private static final String JEDIS_ACTION =
      "add "
          + JEDIS
          + ", and set the property jedis.version of the build to 8.0.0 or newer, since Spring Boot manages an older one"
          + " (<jedis.version>8.0.2</jedis.version> in Maven's <properties>,"
          + " ext['jedis.version'] = '8.0.2' in Gradle)";

  private final EnvironmentSettings settings;

  MistakesAnalyzer(Environment environment) {
    this.settings = new EnvironmentSettings(environment);
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    Set<String> ofSettings = new LinkedHashSet<>();
    Set<String> ofAnnotations = new LinkedHashSet<>();
    Set<String> ofBeans = new LinkedHashSet<>();
    Throwable cause = null;
    for (Throwable each : all(failure)) {
      if (each instanceof InvalidSettingException) {
        lines(each).map(this::located).forEach(ofSettings::add);
      } else if (each instanceof InvalidPolicyException mistakes) {
        ofAnnotations.addAll(mistakes.mistakes());
      } else if (each instanceof DuplicatePartException) {
        lines(each).forEach(ofBeans::add);
      } else {
        continue;
      }
      cause = cause == null ? each : cause;
    }
    int mistakes = ofSettings.size() + ofAnnotations.size() + ofBeans.size();
    if (cause == null || mistakes == 0) {
      return null;
    }
    StringBuilder description = new StringBuilder("Weir found ").append(mistakes);
    description.append(mistakes == 1 ? " mistake:" : " mistakes:");
    List<String> actions = new ArrayList<>();
    add("Settings", "correct the settings", ofSettings, description, actions);
    if (ofSettings.stream().anyMatch(each -> each.contains(JEDIS))) {
      actions.set(0, JEDIS_ACTION + (ofSettings.size() > 1 ? ", correct the other settings" : ""));
    }
    add("Annotations", "correct the annotations", ofAnnotations, description, actions);
    add(
        "Beans",
        "mark one of the beans as @Primary or remove the others",
        ofBeans,
        description,
        actions);
    String action = String.join(", and ", actions);
    return new FailureAnalysis(
        description.toString(),
        action.substring(0, 1).toUpperCase(Locale.ROOT) + action.substring(1) + ".",
        cause);
  }

  private static void add(
      String title,
      String action,
      Set<String> mistakes,
      StringBuilder description,
      List<String> actions) {
    if (!mistakes.isEmpty()) {
      description.append("\n\n").append(title).append(':');
      mistakes.forEach(each -> description.append("\n  ").append(each));
      actions.add(action);
    }
  }

  private static Stream<String> lines(Throwable each) {
    return String.valueOf(each.getMessage()).lines().filter(line -> !line.isBlank());
  }

  /** Names the file and line of a setting in place of the environment as a whole. */
  private String located(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return line;
    }
    try {
      return settings
          .origin(matcher.group(1))
          .map(
              origin -> matcher.group(1) + matcher.group(2) + "(" + origin + ")" + matcher.group(3))
          .orElse(line);
    } catch (IllegalArgumentException unreadable) { // a placeholder without a value
      return line;
    }
  }

  /** Returns a failure with its causes and all that was suppressed for them. */
  private static Set<Throwable> all(Throwable failure) {
    Set<Throwable> found = new LinkedHashSet<>();
    add(failure, found);
    return found;
  }

  private static void add(@Nullable Throwable failure, Set<Throwable> found) {
    if (failure != null && found.add(failure)) {
      for (Throwable each : failure.getSuppressed()) {
        add(each, found);
      }
      add(failure.getCause(), found);
    }
  }
}
