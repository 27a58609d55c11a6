package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.store.BucketSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks that each setting has a known name and a valid value, and reports all mistakes in one
 * message.
 */
final class SettingsCheck {
  private SettingsCheck() {}

  static void require(List<SettingsLayer> layers, DeclaredModuleSettings declared) {
    Set<String> mistakes = new LinkedHashSet<>();
    for (SettingsLayer layer : layers) {
      if (layer.variables()) {
        SettingNames.fixed().forEach(name -> check(layer, name, declared, mistakes));
        declared.names().forEach(name -> check(layer, name, declared, mistakes));
        layer.regions().stream()
            .flatMap(region -> SettingNames.ofRegion(region, declared.names()).stream())
            .forEach(name -> check(layer, name, declared, mistakes));
        MissingModules.switches(declared.names())
            .forEach(name -> check(layer, name, declared, mistakes));
      } else {
        layer.values().keySet().forEach(name -> check(layer, name, declared, mistakes));
      }
    }
    if (!mistakes.isEmpty()) {
      throw new InvalidSettingException(String.join(System.lineSeparator(), mistakes));
    }
  }

  private static void check(
      SettingsLayer layer, String name, DeclaredModuleSettings declared, Set<String> mistakes) {
    layer
        .find(name)
        .flatMap(value -> rule(name, value, declared).map(rule -> layer.mistake(name, rule)))
        .ifPresent(mistakes::add);
  }

  private static Optional<String> rule(String name, String value, DeclaredModuleSettings declared) {
    Optional<ValueSyntax<?>> syntax = SettingNames.syntax(name).or(() -> declared.syntax(name));
    if (syntax.isEmpty()) {
      if (MissingModules.isOff(name, value)) {
        return Optional.empty();
      }
      return MissingModules.rule(name, declared.names())
          .or(() -> SettingNames.misnamedPolicy(name).map(SettingsCheck::misnamed))
          .or(() -> SettingNames.misnamedRegion(name).map(SettingsCheck::misnamedRegion))
          .or(() -> Optional.of("unknown setting" + hint(name, declared)));
    }
    try {
      syntax.get().parse(value);
      return Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.of(String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Says what policies can be named, and how to limit a path, if somebody has tried to name one.
   */
  private static String misnamed(String policy) {
    String rule = "the name of a policy must be 1 to 64 letters, digits and . _ -, not " + policy;
    return policy.contains("/") || policy.contains("*")
        ? rule + "; to limit a path, choose a name and set weir.policy.<name>.url to the path"
        : rule;
  }

  private static String misnamedRegion(String region) {
    return "the name of a region must be 1 to 32 of the letters a-z, digits and -, not " + region;
  }

  private static String hint(String name, DeclaredModuleSettings declared) {
    return NearestWord.hint(name, candidates(name, declared));
  }

  /**
   * Returns the names that a misspelled one may mean; the name of a policy in it is taken as right.
   */
  private static Set<String> candidates(String name, DeclaredModuleSettings declared) {
    Set<String> names = new TreeSet<>(SettingNames.fixed());
    names.addAll(declared.names());
    SettingNames.regionOf(name)
        .ifPresent(region -> names.addAll(SettingNames.ofRegion(region, declared.names())));
    int first = name.indexOf('.', name.indexOf('.') + 1);
    int last = name.lastIndexOf('.');
    if (first > 0 && last > first) {
      String policy = name.substring(first + 1, last);
      if (BucketSpec.isName(policy)) {
        SettingNames.members()
            .forEach(member -> names.add(SettingNames.POLICY + policy + "." + member));
      }
    }
    return names;
  }
}
