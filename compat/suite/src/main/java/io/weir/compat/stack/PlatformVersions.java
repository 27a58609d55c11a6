package io.weir.compat.stack;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Compares the libraries of a stack with what its platform's BOM says, so that the checks are about
 * the platform's own versions and not about those that our build manages.
 *
 * <p>Confine to one thread.
 */
public final class PlatformVersions {
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  private final Map<String, String> properties = new HashMap<>();
  private final Element bom;

  private PlatformVersions(Element bom) {
    this.bom = bom;
  }

  /**
   * Finds the libraries whose version isn't the BOM's. What the BOM imports from other BOMs, or
   * inherits, isn't compared.
   *
   * @param group the group of the BOM, of which the stack has a library too
   * @param artifact the name of the BOM
   * @param version its version
   * @return a line for each; empty if all are the BOM's
   * @throws IOException if the list of libraries or the BOM can't be read
   */
  public static List<String> differences(String group, String artifact, String version)
      throws IOException {
    String list = Files.readString(Path.of(System.getProperty(StackProcess.LIBRARIES))).strip();
    List<String> libraries = List.of(list.split(Pattern.quote(File.pathSeparator)));
    String place = "/" + group.replace('.', '/') + "/";
    String repository =
        libraries.stream()
            .filter(each -> each.contains(place))
            .map(each -> each.substring(0, each.indexOf(place)))
            .findFirst()
            .orElseThrow(() -> new IOException("no library of " + group + " in " + libraries));
    Path pom = Path.of(repository + place, artifact, version, artifact + "-" + version + ".pom");
    return new PlatformVersions(parse(pom)).differences(libraries);
  }

  private static Element parse(Path pom) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(pom.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException failure) {
      throw new IOException(pom.toString(), failure);
    }
  }

  private List<String> differences(List<String> libraries) {
    child(bom, "properties")
        .ifPresent(
            all -> children(all).forEach(each -> properties.put(each.getTagName(), text(each))));
    List<String> differences = new ArrayList<>();
    child(bom, "dependencyManagement").flatMap(each -> child(each, "dependencies")).stream()
        .flatMap(each -> children(each).stream())
        .forEach(managed -> compare(managed, libraries, differences));
    return differences;
  }

  private void compare(Element managed, List<String> libraries, List<String> differences) {
    String group = value(managed, "groupId");
    String artifact = value(managed, "artifactId");
    String version = value(managed, "version");
    if (version.isEmpty() || version.contains("${")) {
      return;
    }
    String place = "/" + group.replace('.', '/') + "/" + artifact + "/";
    for (String library : libraries) {
      int start = library.indexOf(place);
      if (start >= 0 && !library.startsWith(version + "/", start + place.length())) {
        differences.add(
            group + ":" + artifact + " " + version + " of the platform, but " + library);
      }
    }
  }

  private String value(Element managed, String name) {
    return PROPERTY
        .matcher(child(managed, name).map(PlatformVersions::text).orElse(""))
        .replaceAll(
            found ->
                Matcher.quoteReplacement(properties.getOrDefault(found.group(1), found.group())));
  }

  private static String text(Element element) {
    return element.getTextContent().strip();
  }

  private static Optional<Element> child(Element parent, String name) {
    return children(parent).stream().filter(each -> each.getTagName().equals(name)).findFirst();
  }

  private static List<Element> children(Element parent) {
    return IntStream.range(0, parent.getChildNodes().getLength())
        .mapToObj(parent.getChildNodes()::item)
        .filter(each -> each.getNodeType() == Node.ELEMENT_NODE)
        .map(Element.class::cast)
        .toList();
  }
}
