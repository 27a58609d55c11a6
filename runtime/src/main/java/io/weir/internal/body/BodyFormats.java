package io.weir.internal.body;

/**
 * The formats that the policies of a request can read.
 *
 * @param forms whether any reads form fields
 * @param json whether any reads JSON
 * @param inShadow whether all of them are in shadow mode, so that none may refuse the request
 */
public record BodyFormats(boolean forms, boolean json, boolean inShadow) {
  /** Adds the formats of other policies of the endpoint, perhaps of the other phase. */
  public BodyFormats and(boolean otherForms, boolean otherJson) {
    return new BodyFormats(forms || otherForms, json || otherJson, inShadow);
  }

  boolean canRead(ContentType type) {
    return forms && (type.isForm() || type.isMultipart()) || json && type.isJson();
  }

  /** Lists the media types, for the client. */
  String names() {
    String ofForms = "application/x-www-form-urlencoded or multipart/form-data";
    return !forms ? "application/json" : json ? "application/json, " + ofForms : ofForms;
  }
}
