package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.value.ServiceVariables;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Reads the settings from all places: the class path once, all others each time.
 *
 * <p>Confine to one thread.
 */
final class SettingsLoader {
  private static final System.Logger LOG = System.getLogger(SettingsLoader.class.getName());
  private static final String FILE = "weir.properties";
  private static final String CONFIG = "weir.config";

  private final SettingsLayer classPath;
  private final Path directory;
  private final Supplier<Map<String, String>> environment;
  private final Supplier<Map<String, String>> systemProperties;
  private final Supplier<Optional<SettingsLayer>> microProfile;
  private final Supplier<Map<String, String>> own;
  private final SettingsLayer onTop;
  private final DeclaredModuleSettings declared;

  /**
   * Reads from the given places.
   *
   * @param directory the directory that may contain {@code weir.properties}
   */
  SettingsLoader(
      SettingsLayer classPath,
      Path directory,
      Supplier<Map<String, String>> environment,
      Supplier<Map<String, String>> systemProperties,
      Supplier<Optional<SettingsLayer>> microProfile,
      Supplier<Map<String, String>> own,
      SettingsLayer onTop,
      DeclaredModuleSettings declared) {
    this.classPath = classPath;
    this.directory = directory;
    this.environment = environment;
    this.systemProperties = systemProperties;
    this.microProfile = microProfile;
    this.own = own;
    this.onTop = onTop;
    this.declared = declared;
  }

  static SettingsLoader of(
      ClassLoader loader, Supplier<Map<String, String>> own, Map<String, String> onTop) {
    DeclaredModuleSettings declared = DeclaredModuleSettings.in(loader);
    return new SettingsLoader(
        classPath(loader),
        Path.of(""),
        System::getenv,
        SettingsLoader::properties,
        microProfile(loader, declared),
        own,
        SettingsLayer.of("init parameter", ours(onTop)),
        declared);
  }

  SettingsSnapshot read() {
    Map<String, String> outside = variables(environment.get());
    Set<String> services = removeServices(outside);
    SettingsLayer variables = SettingsLayer.ofVariables("environment variable", outside);
    Map<String, String> given = read(own);
    Map<String, String> system = new HashMap<>(ours(systemProperties.get()));
    system.entrySet().removeAll(given.entrySet()); // so that a mistake in them is reported once
    SettingsLayer properties = SettingsLayer.of("system property", system);
    List<SettingsLayer> layers = new ArrayList<>();
    layers.add(onTop);
    layers.add(SettingsLayer.of("live settings", ours(given)));
    Map<String, String> givenVariables = variables(given);
    services.addAll(removeServices(givenVariables));
    if (!givenVariables.isEmpty()) {
      layers.add(SettingsLayer.ofVariables("environment variable", givenVariables));
    }
    microProfile.get().ifPresent(layers::add);
    layers.addAll(List.of(properties, variables, classPath));
    List<String> warnings = new ArrayList<>();
    if (!services.isEmpty()) {
      warnings.add(ignored(services));
    }
    Optional<String> named =
        layers.stream().flatMap(each -> each.find(CONFIG).stream()).findFirst();
    try {
      Path path = directory.resolve(named.orElse(FILE)).toAbsolutePath();
      if (Files.exists(path)) {
        layers.add(layers.size() - 1, file(path));
      } else if (named.isPresent()) {
        warnings.add(
            CONFIG + ": the file " + path + " doesn't exist; it will be read once it does");
      }
    } catch (InvalidPathException malformed) {
      throw new InvalidSettingException(CONFIG + ": " + malformed.getMessage());
    }
    return new SettingsSnapshot(layers, warnings, declared);
  }

  private static Map<String, String> read(Supplier<Map<String, String>> own) {
    Map<String, String> values;
    try {
      values = own.get();
    } catch (RuntimeException broken) {
      throw new InvalidSettingException("live settings: can't be read: " + broken);
    }
    if (values == null) {
      throw new InvalidSettingException("live settings: must not be null");
    }
    values.forEach(
        (name, value) -> {
          if (value == null && SettingNames.isOurs(name)) {
            throw new InvalidSettingException("live settings: " + name + " must not be null");
          }
        });
    return values;
  }

  private static SettingsLayer file(Path path) {
    SettingsLayer file;
    try (InputStream in = Files.newInputStream(path)) {
      file = SettingsLayer.of("file " + path, properties(in));
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new InvalidSettingException("file " + path + ": " + unreadable.getMessage());
    }
    if (file.find(CONFIG).isPresent()) {
      throw new InvalidSettingException(
          file.mistake(
              CONFIG,
              "must not be set in a file of settings; set it elsewhere, as a system property for"
                  + " example"));
    }
    return file;
  }

  private static SettingsLayer classPath(ClassLoader loader) {
    URL url = loader.getResource(FILE);
    if (url == null) {
      return SettingsLayer.of("class path", Map.of());
    }
    try {
      URLConnection connection = url.openConnection();
      // A cached jar would stay open after the application has stopped.
      connection.setUseCaches(false);
      try (InputStream in = connection.getInputStream()) {
        return SettingsLayer.of("class path " + url, properties(in));
      }
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new InvalidSettingException("class path " + url + ": " + unreadable.getMessage());
    }
  }

  private static Map<String, String> properties(InputStream in) throws IOException {
    Properties properties = new Properties();
    properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    return texts(properties);
  }

  private static Map<String, String> properties() {
    return texts(System.getProperties());
  }

  private static Map<String, String> texts(Properties properties) {
    Map<String, String> texts = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> texts.put(name, properties.getProperty(name, "")));
    return texts;
  }

  private static Map<String, String> ours(Map<String, String> all) {
    Map<String, String> ours = new HashMap<>(all);
    ours.keySet().removeIf(name -> !SettingNames.isOurs(name));
    return ours;
  }

  private static Map<String, String> variables(Map<String, String> all) {
    Map<String, String> ours = new HashMap<>(all);
    ours.keySet().removeIf(name -> !name.startsWith("WEIR_") || name.startsWith("WEIR_TEST_"));
    return ours;
  }

  /** Removes the variables by which Kubernetes describes its services, and returns their names. */
  private static Set<String> removeServices(Map<String, String> variables) {
    Set<String> services = new TreeSet<>();
    variables.forEach(
        (name, value) -> {
          if (ServiceVariables.isOne(name, value)) {
            services.add(name);
          }
        });
    variables.keySet().removeAll(services);
    return services;
  }

  private static String ignored(Set<String> services) {
    String first =
        services.stream()
            .filter(each -> each.endsWith("_PORT"))
            .findFirst()
            .orElseGet(services.iterator()::next);
    return "environment variable "
        + first
        + (services.size() > 1 ? " and " + (services.size() - 1) + " more" : "")
        + " describe services of Kubernetes, or linked containers, and are ignored as settings."
        + " Set enableServiceLinks: false in the pod, or give the Service a name that doesn't begin"
        + " with weir";
  }

  private static Supplier<Optional<SettingsLayer>> microProfile(
      ClassLoader loader, DeclaredModuleSettings declared) {
    try {
      return MicroProfileSource.find(loader, declared, System::getenv);
    } catch (NoClassDefFoundError absent) {
      return Optional::empty;
    } catch (LinkageError | ServiceConfigurationError unusable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "MicroProfile Config is on the class path but can't be used, so its settings aren't read."
              + " Use an API and a provider of the same version, 1.4 or newer: "
              + unusable);
      return Optional::empty;
    }
  }
}
