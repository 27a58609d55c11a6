package io.weir.compat.release;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Reads elements of a POM by their paths, such as {@code licenses/license/name}. */
final class Pom {
  private final Document document;
  private final XPath paths = XPathFactory.newInstance().newXPath();

  private Pom(Document document) {
    this.document = document;
  }

  static Pom parse(byte[] content) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return new Pom(factory.newDocumentBuilder().parse(new ByteArrayInputStream(content)));
    } catch (Exception e) {
      throw new IllegalArgumentException("A POM can't be read: " + e.getMessage(), e);
    }
  }

  /** Returns the text of the first such element; empty if there is none. */
  String text(String path) {
    List<String> texts = texts(path);
    return texts.isEmpty() ? "" : texts.get(0);
  }

  /** Returns the texts of all such elements. */
  List<String> texts(String path) {
    try {
      NodeList nodes =
          (NodeList) paths.evaluate("/project/" + path, document, XPathConstants.NODESET);
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        texts.add(nodes.item(i).getTextContent().strip());
      }
      return texts;
    } catch (Exception e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }

  /** Returns the packaging, which is {@code jar} if the POM says nothing. */
  String packaging() {
    String packaging = text("packaging");
    return packaging.isEmpty() ? "jar" : packaging;
  }
}
