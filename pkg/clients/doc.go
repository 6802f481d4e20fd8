// Package clients predicts what agent clients do with a skill: whether they
// load it, what name and description their model sees, and what they tell the
// user about a skill that they do not load.
//
// What a client does is data: a [Profile] says where it looks for skills, where
// it takes the frontmatter to begin and to end, how it reads the YAML in it, and
// what it demands of the fields. [Profiles] gives the profiles of the clients
// that are known, each with the evidence for it; [Load] reads one of a user's
// own.
//
// [Predict] gives the [Prediction] for one skill, [Discover] the folders that a
// client finds, [PredictAll] both for a whole folder of skills, and [Catalogue]
// what is left of the descriptions once the budget of a client is spent.
// Predictions are values: a skill that no client loads is no error.
package clients
